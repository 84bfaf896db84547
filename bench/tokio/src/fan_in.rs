use crate::common::{mailbox, sum_below, Kind, Outcome};
use crate::counting::flood;
use std::time::Instant;

const SENDERS: u64 = 8;

pub async fn run(kind: Kind, messages: u64) -> Outcome {
    let each = messages / SENDERS;
    let (sender, receiver) = mailbox(kind);
    let counter = tokio::spawn(receiver.sum());
    let start = Instant::now();
    for i in 0..SENDERS {
        tokio::spawn(flood(sender.clone(), i * each..(i + 1) * each));
    }
    drop(sender);
    let total = counter.await.expect("a sum");
    let outcome = Outcome::since(start, each * SENDERS);
    assert_eq!(total, sum_below(each * SENDERS));
    outcome
}
