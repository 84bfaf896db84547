import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;

final class PingPong {
  record Ball(int left, Mailbox<Ball> back) {}

  /** Hits the ball back until it has bounced enough. */
  static final class Player implements Mailbox.Actor<Ball> {
    final Mailbox<Ball> mailbox;
    private final CountDownLatch done;
    long hits;

    Player(ExecutorService dispatcher, CountDownLatch done) {
      this.mailbox = new Mailbox<>(dispatcher, this);
      this.done = done;
    }

    @Override
    public void handle(Ball ball) {
      hits++;
      if (ball.left() > 1) ball.back().tell(new Ball(ball.left() - 1, mailbox));
      if (ball.left() <= 2) done.countDown();
    }
  }

  static Bench.Outcome run(ExecutorService dispatcher, int pairs, int messages) throws Exception {
    int bounces = Math.max(messages / pairs, 2);
    var done = new CountDownLatch(2 * pairs);
    var players = new ArrayList<Player>();
    for (int i = 0; i < 2 * pairs; i++) players.add(new Player(dispatcher, done));
    long start = System.nanoTime();
    for (int i = 0; i < pairs; i++) players.get(2 * i).mailbox.tell(new Ball(bounces, players.get(2 * i + 1).mailbox));
    done.await();
    var outcome = Bench.Outcome.since(start, (long) bounces * pairs);
    Bench.verify("the sum of hits", players.stream().mapToLong(player -> player.hits).sum(), (long) bounces * pairs);
    return outcome;
  }
}
