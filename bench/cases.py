"""The cases: what is done, who takes part, how much of it.

Every system answers the same question with the same work. A program is called

    PROGRAM CASE WORKERS MAILBOX MESSAGES

once for each measurement. WORKERS is the number of threads that run actors. MAILBOX is `block` (room for 64, and a
sender waits for room), `unbounded`, or `-` where the case does not ask. MESSAGES is how many units to measure; a program
may round it to what the case allows. It warms up with a tenth of the same work (Java with a million messages at least),
measures, checks that nothing was lost, and prints one line of JSON: {"messages": N, "ns": wall time of the measured part}, and where it applies
"bytes_per_actor", "p50_us", "p99_us", "lost" (refused or dropped messages). It exits with 64 if it does not know the
case, and with 1 if a message is missing.

Common to all cases. A message carries one 64-bit number, and a reference to its sender where an answer is due. Handlers
add up what they receive; the sum is checked. The clock starts when all actors are up and the first is told to begin, and
stops when the last unit has been handled. The whole case runs inside the runtime, on an actor or worker, unless it says
"outside".

ping-pong-1         Two actors. A ball bounces between them, MESSAGES times. Unit: a handled message.
ping-pong-100       A hundred such pairs, each with a ball of its own that bounces MESSAGES / 100 times.
counting            One actor sends MESSAGES to another, as fast as the mailbox lets it. Unit: a message.
fan-in              Eight actors send MESSAGES / 8 each to one.
outside             One thread that is no worker sends MESSAGES to one actor.
ring                503 actors in a ring and one token, handed on MESSAGES times. Unit: a hop.
create              Creates 200,000 actors, sends each one message as soon as it exists, then stops all of them and waits
                    until they are gone. Repeated until MESSAGES actors have lived. Unit: an actor. The warm-up is one
                    whole round, so that memory has been touched.
create-one          The same one at a time: create, send one message, stop, wait until it is gone.
idle                Creates MESSAGES actors that wait for their first message, and keeps a reference to each.
                    bytes_per_actor is the growth of resident memory divided by MESSAGES, once all of them wait. ns is the
                    time to create them. No warm-up.
big                 120 actors. Each sends a ping to another one, chosen at random, waits for its pong, and sends the next,
                    MESSAGES / 240 times; meanwhile it answers the pings of others. Unit: a handled message.
skynet              A tree of actors: the root creates ten children, each of them ten more, down to MESSAGES leaves (a
                    power of ten). A leaf sends its number to its parent; a parent adds up ten answers, sends the sum to
                    its own parent and ends. Unit: a leaf. The warm-up is a tree with a tenth of the leaves.
ask                 One actor asks another and awaits the reply before it asks again, MESSAGES times. Unit: a round trip.
devices             1,024 actors. One producer, outside as in `outside`, sends MESSAGES to them in turn. Where the system
                    knows a budget, an actor handles 5 messages a turn. Unit: a message.
bounded-reject      A producer actor offers MESSAGES to one actor with a mailbox of 64. What finds no room is refused and
                    lost. The producer yields after every 128 offers, twice what the mailbox holds, so that it is the
                    faster one. Unit: an offered message; lost: those refused. Handled and lost must add up to MESSAGES.
bounded-drop-oldest The same, but a message that finds no room drops the oldest in the mailbox and takes its place.
bounded-block       The same, but the producer waits for room, and does not yield otherwise. Nothing is lost.
timers              One actor arms MESSAGES timers, each of which would send it a message: the even ones due at the start
                    plus MESSAGES microseconds, the odd ones in an hour. Then it cancels the odd ones, and then handles
                    the messages of the even ones. ns is the whole wall time but for the time spent waiting: from the end
                    of cancelling to the due instant, if that is still to come. Unit: an armed timer.
bulkhead            Two dispatchers of one thread each, the second of them saturated. p50_us and p99_us of an ask between
                    actors of the first; beside it `alone`, the same with the second dispatcher idle. Unit: an ask.
wake                An outside thread sends one message to an actor of a system that sleeps, and waits until it sleeps
                    again. p50_us and p99_us from the send to the handler. Beside it `futex`: one thread that wakes
                    another with a bare futex. Unit: a wake-up.
"""

from dataclasses import dataclass

ALL = "troupe caf erlang go tokio java"
CHANNELS = "troupe go tokio"
FLOOD = {"block": CHANNELS, "unbounded": "troupe caf erlang tokio java"}


@dataclass(frozen=True)
class Case:
    name: str
    systems: dict[str, str]  # by mailbox, who takes part; `caf@1` does so with one worker only
    unit: str = "message"
    first: int = 20_000  # units of the run that finds out how many units take as long as a run should take
    sizes: tuple[int, ...] = ()  # or else the units are these, each a measurement of its own
    quick_sizes: tuple[int, ...] = ()
    baseline: str = ""  # our own program measures this beside us, under CASE-BASELINE
    shown: str = "ns_per_message"

    def entrants(self, workers):
        """Pairs of mailbox and system, those to compare next to each other."""
        for mailbox, names in self.systems.items():
            for name in names.split():
                name, _, only = name.partition("@")
                if not only or int(only) == workers:
                    yield mailbox, name
            if self.baseline:
                yield mailbox, self.baseline


CASES = [
    Case("ping-pong-1", {"-": ALL}),
    Case("ping-pong-100", {"-": ALL}),
    Case("counting", FLOOD),
    Case("fan-in", FLOOD),
    Case("outside", {"block": CHANNELS, "unbounded": "troupe caf@1 tokio java"}),
    Case("ring", {"-": ALL}, unit="hop"),
    Case("create", {"-": "troupe erlang@1 go tokio"}, unit="actor", first=200_000),
    Case("create-one", {"-": "troupe erlang go tokio"}, unit="actor", first=5_000),
    Case("idle", {"-": ALL}, unit="actor", sizes=(1_000, 100_000, 1_000_000), quick_sizes=(1_000, 100_000),
         shown="bytes_per_actor"),
    Case("big", {"-": CHANNELS}),
    Case("skynet", {"-": CHANNELS}, unit="leaf", sizes=(1_000_000,)),
    Case("ask", {"-": CHANNELS}, unit="round trip"),
    Case("devices", FLOOD, first=50_000),
    Case("bounded-reject", {"-": CHANNELS}),
    Case("bounded-drop-oldest", {"-": CHANNELS}),
    Case("bounded-block", {"-": CHANNELS}),
    Case("timers", {"-": "troupe erlang go tokio"}, unit="timer", sizes=(1_000_000,), quick_sizes=(200_000,)),
    Case("bulkhead", {"-": "troupe"}, unit="ask", first=2_000, baseline="alone", shown="p99_us"),
    Case("wake", {"-": "troupe"}, unit="wake-up", sizes=(2_000,), quick_sizes=(500,), baseline="futex", shown="p50_us"),
]
