use crate::common::{mailbox, sum_below, Kind, Outcome, Sender};
use std::ops::Range;
use std::time::Instant;

pub async fn flood(to: Sender, numbers: Range<u64>) {
    for number in numbers {
        to.send(number).await;
    }
}

pub async fn run(kind: Kind, messages: u64) -> Outcome {
    let (sender, receiver) = mailbox(kind);
    let counter = tokio::spawn(receiver.sum());
    let start = Instant::now();
    tokio::spawn(flood(sender, 0..messages));
    let total = counter.await.expect("a sum");
    let outcome = Outcome::since(start, messages);
    assert_eq!(total, sum_below(messages));
    outcome
}
