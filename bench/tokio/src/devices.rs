use crate::common::{mailbox, sum_below, Kind, Outcome};
use std::time::Instant;

const DEVICES: usize = 1024;

pub async fn run(kind: Kind, messages: u64) -> Outcome {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..DEVICES).map(|_| mailbox(kind)).unzip();
    let devices: Vec<_> = receivers.into_iter().map(|receiver| tokio::spawn(receiver.sum())).collect();
    let start = Instant::now();
    std::thread::spawn(move || {
        for number in 0..messages {
            senders[number as usize % DEVICES].send_from_outside(number);
        }
    });
    let mut total = 0;
    for device in devices {
        total += device.await.expect("a sum");
    }
    let outcome = Outcome::since(start, messages);
    assert_eq!(total, sum_below(messages));
    outcome
}
