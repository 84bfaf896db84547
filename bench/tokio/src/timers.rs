use crate::common::Outcome;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::task::unconstrained;
use tokio::time::{sleep_until, Instant, Sleep};

/// Polls a sleep once, and so arms it. Unconstrained, since a task that has used up its turn would not arm it.
struct Arm<'a>(&'a mut Pin<Box<Sleep>>);

impl Future for Arm<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut unconstrained = unconstrained(self.0.as_mut());
        let _ = Pin::new(&mut unconstrained).poll(context);
        Poll::Ready(())
    }
}

async fn armed(due: Instant) -> Pin<Box<Sleep>> {
    let mut sleep = Box::pin(sleep_until(due));
    Arm(&mut sleep).await;
    sleep
}

pub async fn run(count: u64) -> Outcome {
    let start = Instant::now();
    let due = start + Duration::from_micros(count);
    let (mut even, mut odd) = (VecDeque::new(), Vec::new());
    for _ in 0..(count + 1) / 2 {
        even.push_back(armed(due).await);
        odd.push(armed(start + Duration::from_secs(3600)).await);
    }
    let cancelled = odd.len() as u64;
    drop(odd);

    let wait = due.saturating_duration_since(Instant::now());
    let mut fired = 0;
    while let Some(sleep) = even.pop_front() {
        sleep.await;
        fired += 1;
    }
    let mut outcome = Outcome::since(start.into_std(), fired + cancelled);
    outcome.ns -= wait.as_nanos();
    assert_eq!((fired, cancelled), ((count + 1) / 2, (count + 1) / 2));
    outcome
}
