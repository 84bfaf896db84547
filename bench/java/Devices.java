import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;

final class Devices {
  private static final int DEVICES = 1024;

  /** Adds up until it has received so many messages. */
  static final class Device implements Mailbox.Actor<Bench.Message> {
    private final CountDownLatch done;
    private int left;
    long sum;

    Device(int messages, CountDownLatch done) {
      this.left = messages;
      this.done = done;
    }

    @Override
    public void handle(Bench.Message message) {
      sum += message.number();
      if (--left == 0) done.countDown();
    }
  }

  static Bench.Outcome run(ExecutorService dispatcher, int messages) throws Exception {
    int each = Math.max(messages / DEVICES, 1);
    var done = new CountDownLatch(DEVICES);
    var devices = new Device[DEVICES];
    var mailboxes = new ArrayList<Mailbox<Bench.Message>>();
    for (int i = 0; i < DEVICES; i++) {
      devices[i] = new Device(each, done);
      mailboxes.add(new Mailbox<>(dispatcher, devices[i]));
    }
    long start = System.nanoTime();
    for (int i = 0; i < each * DEVICES; i++) mailboxes.get(i % DEVICES).tell(new Bench.Message(i));
    done.await();
    var outcome = Bench.Outcome.since(start, each * DEVICES);
    long sum = 0;
    for (var device : devices) sum += device.sum;
    Bench.verify("the sum", sum, Bench.sumBelow(each * DEVICES));
    return outcome;
  }
}
