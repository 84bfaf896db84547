import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/** The mailbox of an IoT platform's actor system: two unbounded queues, a busy flag, batches of five. */
final class Mailbox<M> {
  private static final int BATCH = 5;

  /** What an actor does with one message. */
  interface Actor<M> {
    void handle(M message) throws Exception;
  }

  private final ConcurrentLinkedQueue<M> high = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<M> normal = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean busy = new AtomicBoolean();
  private final Runnable batch = this::handleBatch; // once, not for each time it is scheduled
  private final Runnable recheck = this::scheduleIfMail;
  private final Executor dispatcher;
  private final Actor<M> actor;

  Mailbox(Executor dispatcher, Actor<M> actor) {
    this.dispatcher = dispatcher;
    this.actor = actor;
  }

  void tell(M message) {
    normal.add(message);
    schedule();
  }

  void tellWithHighPriority(M message) {
    high.add(message);
    schedule();
  }

  private void schedule() {
    if (!busy.get() && busy.compareAndSet(false, true)) dispatcher.execute(batch);
  }

  private void scheduleIfMail() {
    if (!high.isEmpty() || !normal.isEmpty()) schedule();
  }

  private void handleBatch() {
    for (int i = 0; i < BATCH; i++) {
      M message = high.poll();
      if (message == null) message = normal.poll();
      if (message == null) {
        busy.set(false);
        dispatcher.execute(recheck); // mail may have come while the flag was still set
        return;
      }
      try {
        actor.handle(message);
      } catch (Exception failure) {
        failure.printStackTrace();
      }
    }
    dispatcher.execute(batch);
  }
}
