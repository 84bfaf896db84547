use crate::common::{Message, Outcome};
use std::time::Instant;
use tokio::sync::mpsc::{unbounded_channel, UnboundedReceiver};

pub const ALIVE_AT_ONCE: u64 = 200_000;

/// Lives until its sender is gone, and returns how many messages it has handled.
pub async fn mortal(mut mailbox: UnboundedReceiver<Message>) -> u64 {
    let mut handled = 0;
    while let Some(message) = mailbox.recv().await {
        handled += message.number;
    }
    handled
}

pub async fn run(messages: u64) -> Outcome {
    let rounds = (messages + ALIVE_AT_ONCE - 1) / ALIVE_AT_ONCE;
    let mut handled = 0;
    let start = Instant::now();
    for _ in 0..rounds {
        let (mut senders, mut tasks) = (Vec::new(), Vec::new());
        for _ in 0..ALIVE_AT_ONCE {
            let (sender, mailbox) = unbounded_channel();
            tasks.push(tokio::spawn(mortal(mailbox)));
            sender.send(Message { number: 1 }).ok().expect("a task");
            senders.push(sender);
        }
        drop(senders);
        for task in tasks {
            handled += task.await.expect("a task that ends");
        }
    }
    let outcome = Outcome::since(start, rounds * ALIVE_AT_ONCE);
    assert_eq!(handled, rounds * ALIVE_AT_ONCE);
    outcome
}

pub async fn run_one(messages: u64) -> Outcome {
    let mut handled = 0;
    let start = Instant::now();
    for _ in 0..messages {
        let (sender, mailbox) = unbounded_channel();
        let task = tokio::spawn(mortal(mailbox));
        sender.send(Message { number: 1 }).ok().expect("a task");
        drop(sender);
        handled += task.await.expect("a task that ends");
    }
    let outcome = Outcome::since(start, messages);
    assert_eq!(handled, messages);
    outcome
}
