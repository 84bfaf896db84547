-module(idle).
-export([run/1]).

run(Count) ->
    Creator = self(),
    erlang:garbage_collect(),
    Before = bench:resident_bytes(),
    Start = erlang:monotonic_time(),
    Actors = [spawn(create, mortal, [Creator, 0]) || _ <- lists:seq(1, Count)],
    {Count, Ns} = bench:measured(Count, Start),
    timer:sleep(100), % until all have begun to wait
    Bytes = (bench:resident_bytes() - Before) / Count,
    [begin Actor ! 1, Actor ! stop end || Actor <- Actors],
    [receive {gone, 1} -> ok end || _ <- Actors],
    {Count, Ns, Bytes}.
