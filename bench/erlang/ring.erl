-module(ring).
-export([run/1]).

-define(SIZE, 503).

run(Messages) ->
    Creator = self(),
    Last = spawn(fun() -> receive {next, First} -> node(Creator, First, 0) end end),
    First = lists:foldl(fun(_, Next) -> spawn(fun() -> node(Creator, Next, 0) end) end, Last, lists:seq(2, ?SIZE)),
    Last ! {next, First},
    Start = erlang:monotonic_time(),
    First ! Messages,
    receive done -> ok end,
    Measured = bench:measured(Messages, Start),
    First ! stop,
    Hops = lists:sum([receive {hops, Count} -> Count end || _ <- lists:seq(1, ?SIZE)]),
    Hops = Messages,
    Measured.

%% Hands the token on. Who gets the last one reports it.
node(Creator, Next, Hops) ->
    receive
        1 ->
            Creator ! done,
            node(Creator, Next, Hops + 1);
        Left when is_integer(Left) ->
            Next ! Left - 1,
            node(Creator, Next, Hops + 1);
        stop ->
            Next ! stop,
            Creator ! {hops, Hops}
    end.
