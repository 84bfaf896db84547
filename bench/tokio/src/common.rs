//! The two kinds of mailbox under one name, the clock and the output.

use std::time::Instant;
use tokio::sync::mpsc;

pub const ROOM: usize = 64;

pub struct Message {
    pub number: u64,
}

#[derive(Clone, Copy)]
pub enum Kind {
    Bounded,
    Unbounded,
}

#[derive(Clone)]
pub enum Sender {
    Bounded(mpsc::Sender<Message>),
    Unbounded(mpsc::UnboundedSender<Message>),
}

pub enum Receiver {
    Bounded(mpsc::Receiver<Message>),
    Unbounded(mpsc::UnboundedReceiver<Message>),
}

pub fn mailbox(kind: Kind) -> (Sender, Receiver) {
    match kind {
        Kind::Bounded => {
            let (sender, receiver) = mpsc::channel(ROOM);
            (Sender::Bounded(sender), Receiver::Bounded(receiver))
        }
        Kind::Unbounded => {
            let (sender, receiver) = mpsc::unbounded_channel();
            (Sender::Unbounded(sender), Receiver::Unbounded(receiver))
        }
    }
}

impl Sender {
    pub async fn send(&self, number: u64) {
        let message = Message { number };
        let sent = match self {
            Sender::Bounded(sender) => sender.send(message).await,
            Sender::Unbounded(sender) => sender.send(message),
        };
        sent.ok().expect("a receiver");
    }

    pub fn send_from_outside(&self, number: u64) {
        let message = Message { number };
        let sent = match self {
            Sender::Bounded(sender) => sender.blocking_send(message),
            Sender::Unbounded(sender) => sender.send(message),
        };
        sent.ok().expect("a receiver");
    }
}

impl Receiver {
    /// The sum of all numbers until every sender is gone.
    pub async fn sum(self) -> u64 {
        let mut total = 0;
        match self {
            Receiver::Bounded(mut receiver) => {
                while let Some(message) = receiver.recv().await {
                    total += message.number;
                }
            }
            Receiver::Unbounded(mut receiver) => {
                while let Some(message) = receiver.recv().await {
                    total += message.number;
                }
            }
        }
        total
    }
}

pub struct Outcome {
    pub messages: u64,
    pub ns: u128,
    pub bytes_per_actor: Option<f64>,
    pub lost: Option<u64>,
}

impl Outcome {
    /// From a start to now, for so many messages.
    pub fn since(start: Instant, messages: u64) -> Outcome {
        Outcome { messages, ns: start.elapsed().as_nanos(), bytes_per_actor: None, lost: None }
    }

    pub fn json(&self) -> String {
        let mut line = format!("{{\"messages\": {}, \"ns\": {}", self.messages, self.ns);
        if let Some(bytes) = self.bytes_per_actor {
            line += &format!(", \"bytes_per_actor\": {}", bytes);
        }
        if let Some(lost) = self.lost {
            line += &format!(", \"lost\": {}", lost);
        }
        line + "}"
    }
}

/// The sum of the numbers below n.
pub fn sum_below(n: u64) -> u64 {
    n * n.saturating_sub(1) / 2
}

pub fn resident_bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").expect("/proc");
    let pages: u64 = text.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a number");
    pages * 4096
}
