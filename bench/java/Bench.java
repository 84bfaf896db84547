import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The Java side: arguments, clock and output for all questions. */
final class Bench {
  record Message(long number) {}

  record Outcome(long messages, long ns, double bytesPerActor) {
    /** From a start to now, for so many messages. */
    static Outcome since(long start, long messages) {
      return new Outcome(messages, System.nanoTime() - start, 0);
    }

    String json() {
      var bytes = bytesPerActor > 0 ? ", \"bytes_per_actor\": " + bytesPerActor : "";
      return "{\"messages\": %d, \"ns\": %d%s}".formatted(messages, ns, bytes);
    }
  }

  interface Question {
    Outcome answer(ExecutorService dispatcher, int messages) throws Exception;
  }

  private static Question question(String name) {
    return switch (name) {
      case "ping-pong-1" -> (dispatcher, messages) -> PingPong.run(dispatcher, 1, messages);
      case "ping-pong-100" -> (dispatcher, messages) -> PingPong.run(dispatcher, 100, messages);
      case "counting" -> Counting::run;
      case "fan-in" -> FanIn::run;
      case "outside" -> Outside::run;
      case "ring" -> Ring::run;
      case "idle" -> Idle::run;
      case "devices" -> Devices::run;
      default -> null;
    };
  }

  static void verify(String what, long found, long expected) {
    if (found != expected) {
      System.err.println(what + " is " + found + ", not " + expected);
      System.exit(1);
    }
  }

  /** The sum of the numbers below n. */
  static long sumBelow(long n) {
    return n * (n - 1) / 2;
  }

  /** An actor that completes the sum when it has received so many messages. */
  static Mailbox<Message> counter(ExecutorService dispatcher, int messages, CompletableFuture<Long> sum) {
    return new Mailbox<>(dispatcher, new Mailbox.Actor<>() {
      private long total;
      private int left = messages;

      @Override
      public void handle(Message message) {
        total += message.number();
        if (--left == 0) sum.complete(total);
      }
    });
  }

  public static void main(String[] arguments) throws Exception {
    var question = question(arguments[0]);
    if (question == null || arguments[2].equals("block")) System.exit(64);
    int workers = Integer.parseInt(arguments[1]);
    int messages = Integer.parseInt(arguments[3]);
    var dispatcher = Executors.newFixedThreadPool(workers);
    // As much again as is measured, and a million messages at least, since the compiler needs it. Idle has no warm-up.
    for (int done = 0; done < Math.max(messages, 1_000_000) && !arguments[0].equals("idle"); done += messages) {
      question.answer(dispatcher, messages);
    }
    System.gc();
    System.out.println(question.answer(dispatcher, messages).json());
    System.exit(0);
  }
}
