use crate::common::{mailbox, sum_below, Kind, Outcome};
use std::time::Instant;

pub async fn run(kind: Kind, messages: u64) -> Outcome {
    let (sender, receiver) = mailbox(kind);
    let counter = tokio::spawn(receiver.sum());
    let start = Instant::now();
    std::thread::spawn(move || {
        for number in 0..messages {
            sender.send_from_outside(number);
        }
    });
    let total = counter.await.expect("a sum");
    let outcome = Outcome::since(start, messages);
    assert_eq!(total, sum_below(messages));
    outcome
}
