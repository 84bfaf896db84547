//! The tokio side: an actor is a task that reads from an mpsc channel, a message is a struct by value.
//! A bounded channel has room for 64. Where the case does not ask for a mailbox, it is the unbounded one, which is the
//! faster of the two: it has no semaphore.

mod ask;
mod big;
mod bounded;
mod common;
mod counting;
mod create;
mod devices;
mod fan_in;
mod idle;
mod outside;
mod ping_pong;
mod ring;
mod skynet;
mod timers;

use common::{Kind, Outcome};

async fn run(case: &str, kind: Kind, messages: u64) -> Option<Outcome> {
    Some(match case {
        "ping-pong-1" => ping_pong::run(1, messages).await,
        "ping-pong-100" => ping_pong::run(100, messages).await,
        "counting" => counting::run(kind, messages).await,
        "fan-in" => fan_in::run(kind, messages).await,
        "outside" => outside::run(kind, messages).await,
        "ring" => ring::run(messages).await,
        "create" => create::run(messages).await,
        "create-one" => create::run_one(messages).await,
        "idle" => idle::run(messages).await,
        "big" => big::run(messages).await,
        "skynet" => skynet::run(messages).await,
        "ask" => ask::run(messages).await,
        "devices" => devices::run(kind, messages).await,
        "bounded-reject" => bounded::reject(messages).await,
        "bounded-drop-oldest" => bounded::drop_oldest(messages).await,
        "bounded-block" => bounded::block(messages).await,
        "timers" => timers::run(messages).await,
        _ => return None,
    })
}

fn warm_up(case: &str, messages: u64) -> u64 {
    match case {
        "idle" => 0,
        "create" => create::ALIVE_AT_ONCE,
        _ => messages / 10,
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let case = arguments[1].clone();
    let kind = if arguments[3] == "block" { Kind::Bounded } else { Kind::Unbounded };
    let workers: usize = arguments[2].parse().expect("WORKERS is a number");
    let messages: u64 = arguments[4].parse().expect("MESSAGES is a number");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(workers).enable_time().build().expect("a runtime");
    let measured = runtime.spawn(async move {
        let first = warm_up(&case, messages);
        if first > 0 {
            run(&case, kind, first).await?;
        }
        run(&case, kind, messages).await
    });
    match runtime.block_on(measured) {
        Ok(Some(outcome)) => println!("{}", outcome.json()),
        Ok(None) => std::process::exit(64),
        Err(_) => std::process::exit(1),
    }
}
