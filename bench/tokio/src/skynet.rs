use crate::common::{sum_below, Message, Outcome};
use std::future::Future;
use std::pin::Pin;
use std::time::Instant;
use tokio::sync::mpsc::{unbounded_channel, UnboundedSender};

type Branch = Pin<Box<dyn Future<Output = ()> + Send>>;

fn branch(parent: UnboundedSender<Message>, number: u64, leaves: u64) -> Branch {
    Box::pin(async move {
        let (sender, mut mailbox) = unbounded_channel();
        for i in 0..10 {
            let (first, child) = (number + i * leaves / 10, sender.clone());
            if leaves == 10 {
                tokio::spawn(leaf(child, first));
            } else {
                tokio::spawn(branch(child, first, leaves / 10));
            }
        }
        let mut sum = 0;
        for _ in 0..10 {
            sum += mailbox.recv().await.map_or(0, |message| message.number);
        }
        parent.send(Message { number: sum }).ok().expect("a parent");
    })
}

async fn leaf(parent: UnboundedSender<Message>, number: u64) {
    parent.send(Message { number }).ok().expect("a parent");
}

pub async fn run(leaves: u64) -> Outcome {
    let (root, mut mailbox) = unbounded_channel();
    let start = Instant::now();
    tokio::spawn(branch(root, 0, leaves));
    let sum = mailbox.recv().await.map_or(0, |message| message.number);
    let outcome = Outcome::since(start, leaves);
    assert_eq!(sum, sum_below(leaves));
    outcome
}
