import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

final class Outside {
  static Bench.Outcome run(ExecutorService dispatcher, int messages) throws Exception {
    var sum = new CompletableFuture<Long>();
    var counter = Bench.counter(dispatcher, messages, sum);
    long start = System.nanoTime();
    for (int i = 0; i < messages; i++) counter.tell(new Bench.Message(i));
    long total = sum.get();
    var outcome = Bench.Outcome.since(start, messages);
    Bench.verify("the sum", total, Bench.sumBelow(messages));
    return outcome;
  }
}
