import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

final class FanIn {
  private static final int SENDERS = 8;

  static Bench.Outcome run(ExecutorService dispatcher, int messages) throws Exception {
    int each = messages / SENDERS;
    var sum = new CompletableFuture<Long>();
    var counter = Bench.counter(dispatcher, each * SENDERS, sum);
    long start = System.nanoTime();
    for (int i = 0; i < SENDERS; i++) {
      new Mailbox<>(dispatcher, new Counting.Flood(counter, i * each, (i + 1) * each)).tell(new Bench.Message(0));
    }
    long total = sum.get();
    var outcome = Bench.Outcome.since(start, each * SENDERS);
    Bench.verify("the sum", total, Bench.sumBelow(each * SENDERS));
    return outcome;
  }
}
