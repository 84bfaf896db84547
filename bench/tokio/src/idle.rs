use crate::common::{resident_bytes, Message, Outcome};
use crate::create::mortal;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::unbounded_channel;

pub async fn run(actors: u64) -> Outcome {
    let before = resident_bytes();
    let start = Instant::now();
    let mut senders = Vec::with_capacity(actors as usize);
    let mut last = None;
    for _ in 0..actors {
        let (sender, mailbox) = unbounded_channel();
        last = Some(tokio::spawn(mortal(mailbox)));
        senders.push(sender);
    }
    let mut outcome = Outcome::since(start, actors);
    tokio::time::sleep(Duration::from_millis(100)).await; // until all have begun to wait
    outcome.bytes_per_actor = Some((resident_bytes() - before) as f64 / actors as f64);
    for sender in senders {
        sender.send(Message { number: 1 }).ok().expect("a task");
    }
    assert_eq!(last.expect("a task").await.expect("a task that ends"), 1);
    outcome
}
