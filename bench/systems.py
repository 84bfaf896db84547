"""The systems: how each is found, built, started and set up."""

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "build/peers"


@dataclass(frozen=True)
class System:
    name: str
    packages: str  # Debian's
    present: Callable[[], bool]
    command: Callable[[int], list]  # by the number of workers
    version: str  # a command that prints it
    settings: str

    @property
    def build(self):
        return ROOT / "bench" / self.name / "build"


def program(path):
    return lambda workers: [path]


def commands(*names):
    return lambda: all(shutil.which(name) for name in names)


def erlang(workers):
    return ["erl", "+S", f"{workers}:{workers}", "+P", "4000000", "+MMscs", "3000", "-noshell", "-noinput",
            "-boot", "no_dot_erlang", "-pa", PEERS / "erlang", "-s", "bench", "main", "-extra"]


def java(workers):
    return ["java", "-Xms1g", "-Xmx4g", "-XX:+UseParallelGC", "-XX:-UsePerfData", "-cp", PEERS / "java", "Bench"]


OURS = ROOT / "build/bench/bench"

SYSTEMS = {system.name: system for system in [
    System("troupe", "", lambda: (ROOT / "bench/troupe/build").exists(), program(OURS),
           "git describe --always --dirty",
           "The product as installed: release build, default configuration. One worker is a dispatcher of one thread."),
    System("caf", "libcaf-dev g++-12", lambda: Path("/usr/include/caf/all.hpp").exists() and commands("g++-12")(),
           program(PEERS / "caf/bench"), "dpkg-query --show --showformat ${Version} libcaf-dev",
           "Dynamically typed event-based actors made of functions, `scheduler.max-threads` workers, work stealing (its "
           "default), `scheduler.max-throughput` 5 in `devices`. g++-12 -O3. Outside threads use `anon_send`."),
    System("erlang", "erlang-base", commands("erl", "erlc"), erlang,
           "erl -noshell -boot no_dot_erlang -eval io:put_chars(erlang:system_info(otp_release)),halt().",
           "A process an actor, `+S workers:workers +P 4000000 +MMscs 3000` (memory is kept, which makes "
           "`create` faster), just-in-time compiler on. Mailboxes are unbounded. The outside producer of `devices` is one "
           "more process."),
    System("go", "golang-go", commands("go"), program(PEERS / "go/bench"), "go version",
           "A goroutine an actor, a channel of 64 its mailbox, messages are structs by value, `GOMAXPROCS` workers, garbage "
           "collector as it comes. Nothing is outside of Go: the outside thread is the main goroutine."),
    System("tokio", "librust-tokio-dev cargo",
           lambda: commands("cargo")() and any(Path("/usr/share/cargo/registry").glob("tokio-1.*")),
           program(PEERS / "tokio/release/bench"), "dpkg-query --show --showformat ${Version} librust-tokio-dev",
           "A task an actor, the multi-thread runtime with `worker_threads` workers. Mailbox `block` is `mpsc::channel(64)`, "
           "`unbounded` and where no mailbox is asked for `mpsc::unbounded_channel`, which is faster. An ask is a `oneshot`, "
           "drop-oldest a `broadcast` channel of 64 with one receiver. opt-level 3, fat LTO, one codegen unit."),
    System("java", "openjdk-17-jdk-headless", commands("java", "javac"), java, "java --version",
           "A mailbox kernel as an IoT platform has it: two `ConcurrentLinkedQueue`s, a busy flag, batches of 5, a fixed "
           "thread pool of workers. `-XX:+UseParallelGC -Xms1g -Xmx4g`, which was faster than G1. Warms up with as many "
           "messages as are measured, and a million at least. Bytes an actor are live heap; the kernel has no names, parents or supervision."),
]}


def version(system):
    ran = subprocess.run(system.version.split(" "), capture_output=True, text=True, cwd=ROOT)
    return ran.stdout.strip().splitlines()[0] if ran.returncode == 0 and ran.stdout.strip() else "unknown"
