-module(devices).
-export([run/1]).

-define(DEVICES, 1024).

%% Erlang knows no thread that is outside: the producer is one more process.
run(Messages) ->
    Creator = self(),
    Devices = list_to_tuple([spawn(fun() -> device(Creator, 0) end) || _ <- lists:seq(1, ?DEVICES)]),
    Start = erlang:monotonic_time(),
    spawn(fun() -> produce(Devices, 0, Messages) end),
    Sum = lists:sum([receive {sum, Total} -> Total end || _ <- lists:seq(1, ?DEVICES)]),
    Measured = bench:measured(Messages, Start),
    Sum = bench:sum_below(Messages),
    Measured.

produce(Devices, End, End) -> [Device ! stop || Device <- tuple_to_list(Devices)];
produce(Devices, Number, End) ->
    element(Number band (?DEVICES - 1) + 1, Devices) ! Number,
    produce(Devices, Number + 1, End).

device(Creator, Sum) ->
    receive
        stop -> Creator ! {sum, Sum};
        Number -> device(Creator, Sum + Number)
    end.
