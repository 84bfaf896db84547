import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;

final class Idle {
  static Bench.Outcome run(ExecutorService dispatcher, int actors) throws Exception {
    liveHeap(); // what the first collection leaves goes with the second
    long before = liveHeap();
    var done = new CountDownLatch(actors);
    var mailboxes = new ArrayList<Mailbox<Bench.Message>>(actors);
    long start = System.nanoTime();
    for (int i = 0; i < actors; i++) mailboxes.add(new Mailbox<>(dispatcher, new Devices.Device(1, done)));
    long ns = System.nanoTime() - start;
    double bytes = (double) (liveHeap() - before) / actors;
    for (var mailbox : mailboxes) mailbox.tell(new Bench.Message(1));
    done.await();
    return new Bench.Outcome(actors, ns, bytes);
  }

  /** Resident memory would say how the collector has been set, not what an actor needs. */
  private static long liveHeap() {
    for (int i = 0; i < 3; i++) System.gc();
    var runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
