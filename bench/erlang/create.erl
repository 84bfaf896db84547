-module(create).
-export([run/1, run_one/1, alive_at_once/0, mortal/2]).

alive_at_once() -> 200000.

run(Messages) ->
    Alive = alive_at_once(),
    Rounds = (Messages + Alive - 1) div Alive,
    Start = erlang:monotonic_time(),
    Handled = lists:sum([round_of(Alive) || _ <- lists:seq(1, Rounds)]),
    Measured = bench:measured(Rounds * Alive, Start),
    Handled = Rounds * Alive,
    Measured.

round_of(Alive) ->
    Actors = [with_message() || _ <- lists:seq(1, Alive)],
    [Actor ! stop || Actor <- Actors],
    gone(Alive, 0).

run_one(Messages) ->
    Start = erlang:monotonic_time(),
    Handled = one_at_a_time(Messages, 0),
    Measured = bench:measured(Messages, Start),
    Handled = Messages,
    Measured.

one_at_a_time(0, Handled) -> Handled;
one_at_a_time(Left, Handled) ->
    with_message() ! stop,
    one_at_a_time(Left - 1, gone(1, Handled)).

with_message() ->
    Creator = self(),
    Actor = spawn(fun() -> mortal(Creator, 0) end),
    Actor ! 1,
    Actor.

%% Lives until it is stopped, and tells its creator how many messages it has handled.
mortal(Creator, Handled) ->
    receive
        stop -> Creator ! {gone, Handled};
        Number -> mortal(Creator, Handled + Number)
    end.

gone(0, Handled) -> Handled;
gone(Left, Handled) -> receive {gone, Count} -> gone(Left - 1, Handled + Count) end.
