import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

final class Counting {
  /** An actor that floods another with a range of numbers when it is told to begin. */
  record Flood(Mailbox<Bench.Message> to, int first, int end) implements Mailbox.Actor<Bench.Message> {
    @Override
    public void handle(Bench.Message begin) {
      for (int i = first; i < end; i++) to.tell(new Bench.Message(i));
    }
  }

  static Bench.Outcome run(ExecutorService dispatcher, int messages) throws Exception {
    var sum = new CompletableFuture<Long>();
    var counter = Bench.counter(dispatcher, messages, sum);
    var producer = new Mailbox<>(dispatcher, new Flood(counter, 0, messages));
    long start = System.nanoTime();
    producer.tell(new Bench.Message(0));
    long total = sum.get();
    var outcome = Bench.Outcome.since(start, messages);
    Bench.verify("the sum", total, Bench.sumBelow(messages));
    return outcome;
  }
}
