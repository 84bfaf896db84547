use crate::common::{Message, Outcome};
use std::time::Instant;
use tokio::sync::mpsc::{unbounded_channel, UnboundedReceiver, UnboundedSender};

/// Hits the ball back until it has bounced enough, and returns how often it was hit here.
async fn player(mut ball: UnboundedReceiver<Message>, back: UnboundedSender<Message>) -> u64 {
    let mut handled = 0;
    while let Some(message) = ball.recv().await {
        handled += 1;
        if message.number > 1 {
            let _ = back.send(Message { number: message.number - 1 });
        }
        if message.number <= 2 {
            break;
        }
    }
    handled
}

pub async fn run(pairs: u64, messages: u64) -> Outcome {
    let bounces = (messages / pairs).max(2);
    let (mut first, mut players) = (Vec::new(), Vec::new());
    for _ in 0..pairs {
        let (to_ping, ping) = unbounded_channel();
        let (to_pong, pong) = unbounded_channel();
        players.push(tokio::spawn(player(ping, to_pong)));
        players.push(tokio::spawn(player(pong, to_ping.clone())));
        first.push(to_ping);
    }
    let start = Instant::now();
    for ping in &first {
        ping.send(Message { number: bounces }).ok().expect("a player");
    }
    let mut handled = 0;
    for player in players {
        handled += player.await.expect("a player that ends");
    }
    let outcome = Outcome::since(start, bounces * pairs);
    assert_eq!(handled, bounces * pairs);
    outcome
}
