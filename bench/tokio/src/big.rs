use crate::common::Outcome;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::mpsc::{unbounded_channel, UnboundedReceiver, UnboundedSender};

const CROWD: u64 = 120;

enum Letter {
    Ping { from: u64 },
    Pong,
    Stop,
}

type Senders = Arc<Vec<UnboundedSender<Letter>>>;

struct Talker {
    own: u64,
    random: u64,
    senders: Senders,
}

impl Talker {
    fn send(&self, to: u64, letter: Letter) {
        self.senders[to as usize].send(letter).ok().expect("a talker");
    }

    fn ping(&mut self) {
        // xorshift64
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let other = (self.own + 1 + self.random % (CROWD - 1)) % CROWD;
        self.send(other, Letter::Ping { from: self.own });
    }

    /// Sends its pings one after the other, answers those of others, and returns how many letters it has handled.
    async fn talk(mut self, mut mailbox: UnboundedReceiver<Letter>, pings: u64, done: UnboundedSender<()>) -> u64 {
        let (mut handled, mut left) = (0, pings);
        self.ping();
        while let Some(letter) = mailbox.recv().await {
            handled += 1;
            match letter {
                Letter::Ping { from } => self.send(from, Letter::Pong),
                Letter::Stop => return handled - 1,
                Letter::Pong => {
                    left -= 1;
                    if left > 0 {
                        self.ping();
                    } else {
                        done.send(()).expect("a listener");
                    }
                }
            }
        }
        handled
    }
}

pub async fn run(messages: u64) -> Outcome {
    let pings = (messages / (2 * CROWD)).max(1);
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..CROWD).map(|_| unbounded_channel()).unzip();
    let senders = Arc::new(senders);
    let (done, mut all_done) = unbounded_channel();
    let start = Instant::now();
    let mut tasks = Vec::new();
    for (own, mailbox) in (0..CROWD).zip(receivers) {
        let talker = Talker { own, random: 88172645463325252 + own, senders: senders.clone() };
        tasks.push(tokio::spawn(talker.talk(mailbox, pings, done.clone())));
    }
    for _ in 0..CROWD {
        all_done.recv().await;
    }
    let outcome = Outcome::since(start, 2 * CROWD * pings);
    let mut handled = 0;
    for (sender, task) in senders.iter().zip(tasks) {
        sender.send(Letter::Stop).ok().expect("a talker");
        handled += task.await.expect("a talker that ends");
    }
    assert_eq!(handled, 2 * CROWD * pings);
    outcome
}
