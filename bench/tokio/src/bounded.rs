use crate::common::{Message, Outcome, ROOM};
use std::time::Instant;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::sync::mpsc::{self, Receiver};
use tokio::task::yield_now;

const OFFERS_A_TURN: u64 = 2 * ROOM as u64;

async fn count(mut mailbox: Receiver<Message>) -> u64 {
    let mut handled = 0;
    while let Some(message) = mailbox.recv().await {
        handled += message.number;
    }
    handled
}

fn outcome(start: Instant, messages: u64, handled: u64, lost: u64) -> Outcome {
    let outcome = Outcome { lost: Some(lost), ..Outcome::since(start, messages) };
    assert_eq!(handled + lost, messages);
    outcome
}

pub async fn reject(messages: u64) -> Outcome {
    let (sender, mailbox) = mpsc::channel(ROOM);
    let receiver = tokio::spawn(count(mailbox));
    let start = Instant::now();
    let producer = tokio::spawn(async move {
        let mut lost = 0;
        for i in 1..=messages {
            lost += sender.try_send(Message { number: 1 }).is_err() as u64;
            if i % OFFERS_A_TURN == 0 {
                yield_now().await;
            }
        }
        lost
    });
    let lost = producer.await.expect("a producer that ends");
    outcome(start, messages, receiver.await.expect("a count"), lost)
}

/// An mpsc channel cannot drop its oldest message. A broadcast channel with one receiver does, and tells it how many.
pub async fn drop_oldest(messages: u64) -> Outcome {
    let (sender, mut mailbox) = broadcast::channel(ROOM);
    let receiver = tokio::spawn(async move {
        let (mut handled, mut lost) = (0, 0);
        loop {
            match mailbox.recv().await {
                Ok(number) => handled += number,
                Err(RecvError::Lagged(missed)) => lost += missed,
                Err(RecvError::Closed) => return (handled, lost),
            }
        }
    });
    let start = Instant::now();
    tokio::spawn(async move {
        for i in 1..=messages {
            sender.send(1u64).expect("a receiver");
            if i % OFFERS_A_TURN == 0 {
                yield_now().await;
            }
        }
    });
    let (handled, lost) = receiver.await.expect("a count");
    outcome(start, messages, handled, lost)
}

pub async fn block(messages: u64) -> Outcome {
    let (sender, mailbox) = mpsc::channel(ROOM);
    let receiver = tokio::spawn(count(mailbox));
    let start = Instant::now();
    tokio::spawn(async move {
        for _ in 0..messages {
            sender.send(Message { number: 1 }).await.ok().expect("a receiver");
        }
    });
    outcome(start, messages, receiver.await.expect("a count"), 0)
}
