use crate::common::{Message, Outcome};
use std::time::Instant;
use tokio::sync::mpsc::{unbounded_channel, UnboundedReceiver, UnboundedSender};

const SIZE: usize = 503;

/// Hands the token on, and returns how often it was here. A node ends when the one before it has ended.
async fn node(mut token: UnboundedReceiver<Message>, next: UnboundedSender<Message>) -> u64 {
    let mut handled = 0;
    while let Some(message) = token.recv().await {
        handled += 1;
        if message.number == 1 {
            break;
        }
        let _ = next.send(Message { number: message.number - 1 });
    }
    handled
}

pub async fn run(messages: u64) -> Outcome {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..SIZE).map(|_| unbounded_channel()).unzip();
    let nodes: Vec<_> = receivers
        .into_iter()
        .enumerate()
        .map(|(i, token)| tokio::spawn(node(token, senders[(i + 1) % SIZE].clone())))
        .collect();
    let first = senders[0].clone();
    drop(senders);
    let start = Instant::now();
    first.send(Message { number: messages }).ok().expect("a ring");
    drop(first);
    let mut handled = 0;
    for node in nodes {
        handled += node.await.expect("a node that ends");
    }
    let outcome = Outcome::since(start, messages);
    assert_eq!(handled, messages);
    outcome
}
