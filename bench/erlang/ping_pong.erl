-module(ping_pong).
-export([run/2]).

run(Pairs, Messages) ->
    Bounces = max(Messages div Pairs, 2),
    Creator = self(),
    First = [begin
                 Ping = spawn(fun() -> player(Creator, 0) end),
                 {Ping, spawn(fun() -> player(Creator, 0) end)}
             end || _ <- lists:seq(1, Pairs)],
    Start = erlang:monotonic_time(),
    [Ping ! {ball, Bounces, Pong} || {Ping, Pong} <- First],
    Hits = lists:sum([receive {hits, Count} -> Count end || _ <- lists:seq(1, 2 * Pairs)]),
    Measured = bench:measured(Bounces * Pairs, Start),
    Hits = Bounces * Pairs,
    Measured.

%% Hits the ball back until it has bounced enough, and reports how often it was hit here.
player(Creator, Hits) ->
    receive
        {ball, 1, _} ->
            Creator ! {hits, Hits + 1};
        {ball, 2, Other} ->
            Other ! {ball, 1, self()},
            Creator ! {hits, Hits + 1};
        {ball, Left, Other} ->
            Other ! {ball, Left - 1, self()},
            player(Creator, Hits + 1)
    end.
