use crate::common::{sum_below, Message, Outcome};
use std::time::Instant;
use tokio::sync::mpsc::{unbounded_channel, UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot;

struct Question {
    number: u64,
    reply: oneshot::Sender<Message>,
}

async fn answerer(mut mailbox: UnboundedReceiver<Question>) {
    while let Some(question) = mailbox.recv().await {
        let _ = question.reply.send(Message { number: question.number + 1 });
    }
}

async fn asker(to: UnboundedSender<Question>, messages: u64) -> u64 {
    let mut total = 0;
    for number in 0..messages {
        let (reply, answer) = oneshot::channel();
        to.send(Question { number, reply }).ok().expect("an answerer");
        total += answer.await.expect("an answer").number;
    }
    total
}

pub async fn run(messages: u64) -> Outcome {
    let (sender, mailbox) = unbounded_channel();
    tokio::spawn(answerer(mailbox));
    let start = Instant::now();
    let total = tokio::spawn(asker(sender, messages)).await.expect("a sum");
    let outcome = Outcome::since(start, messages);
    assert_eq!(total, sum_below(messages + 1));
    outcome
}
