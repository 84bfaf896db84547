-module(counting).
-export([run/1, counter/3, flood/3]).

run(Messages) ->
    Creator = self(),
    Counter = spawn(fun() -> counter(Creator, Messages, 0) end),
    Start = erlang:monotonic_time(),
    spawn(fun() -> flood(Counter, 0, Messages) end),
    Sum = receive {sum, Total} -> Total end,
    Measured = bench:measured(Messages, Start),
    Sum = bench:sum_below(Messages),
    Measured.

%% Receives so many messages, and reports the sum of their numbers.
counter(Creator, 0, Sum) -> Creator ! {sum, Sum};
counter(Creator, Left, Sum) -> receive Number -> counter(Creator, Left - 1, Sum + Number) end.

flood(_, End, End) -> ok;
flood(To, Number, End) ->
    To ! Number,
    flood(To, Number + 1, End).
