-module(fan_in).
-export([run/1]).

-define(SENDERS, 8).

run(Messages) ->
    Each = Messages div ?SENDERS,
    Creator = self(),
    Counter = spawn(fun() -> counting:counter(Creator, Each * ?SENDERS, 0) end),
    Start = erlang:monotonic_time(),
    [spawn(fun() -> counting:flood(Counter, I * Each, (I + 1) * Each) end) || I <- lists:seq(0, ?SENDERS - 1)],
    Sum = receive {sum, Total} -> Total end,
    Measured = bench:measured(Each * ?SENDERS, Start),
    Sum = bench:sum_below(Each * ?SENDERS),
    Measured.
