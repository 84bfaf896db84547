import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;

final class Ring {
  private static final int SIZE = 503;

  /** Hands the token on. */
  static final class Node implements Mailbox.Actor<Bench.Message> {
    final Mailbox<Bench.Message> mailbox;
    private final CountDownLatch done;
    Node next;
    long hops;

    Node(ExecutorService dispatcher, CountDownLatch done) {
      this.mailbox = new Mailbox<>(dispatcher, this);
      this.done = done;
    }

    @Override
    public void handle(Bench.Message token) {
      hops++;
      if (token.number() > 1) next.mailbox.tell(new Bench.Message(token.number() - 1));
      else done.countDown();
    }
  }

  static Bench.Outcome run(ExecutorService dispatcher, int messages) throws Exception {
    var done = new CountDownLatch(1);
    var nodes = new Node[SIZE];
    for (int i = 0; i < SIZE; i++) nodes[i] = new Node(dispatcher, done);
    for (int i = 0; i < SIZE; i++) nodes[i].next = nodes[(i + 1) % SIZE];
    long start = System.nanoTime();
    nodes[0].mailbox.tell(new Bench.Message(messages));
    done.await();
    var outcome = Bench.Outcome.since(start, messages);
    long hops = 0;
    for (var node : nodes) hops += node.hops;
    Bench.verify("the sum of hops", hops, messages);
    return outcome;
  }
}
