%% The Erlang side: an actor is a process, a message is a small tuple or a number. Mailboxes are unbounded.
%% Also what all questions need: arguments, clock and output.
-module(bench).
-export([main/0, measured/2, sum_below/1, resident_bytes/0]).

main() ->
    [Name, _Workers, Mailbox, Count] = init:get_plain_arguments(),
    Messages = list_to_integer(Count),
    case question(Name) of
        unknown -> halt(64);
        _ when Mailbox =:= "block" -> halt(64);
        Question ->
            {_, Monitor} = spawn_monitor(fun() -> answer(Name, Question, Messages) end),
            receive
                {'DOWN', Monitor, process, _, normal} -> halt(0);
                {'DOWN', Monitor, process, _, Reason} ->
                    io:format(standard_error, "~p~n", [Reason]),
                    halt(1)
            end
    end.

question("ping-pong-1") -> fun(Messages) -> ping_pong:run(1, Messages) end;
question("ping-pong-100") -> fun(Messages) -> ping_pong:run(100, Messages) end;
question("counting") -> fun counting:run/1;
question("fan-in") -> fun fan_in:run/1;
question("ring") -> fun ring:run/1;
question("create") -> fun create:run/1;
question("create-one") -> fun create:run_one/1;
question("idle") -> fun idle:run/1;
question("devices") -> fun devices:run/1;
question("timers") -> fun timers:run/1;
question(_) -> unknown.

answer(Name, Question, Messages) ->
    case warm_up(Name, Messages) of
        0 -> ok;
        First -> Question(First)
    end,
    erlang:garbage_collect(),
    {Measured, Ns, Bytes} =
        case Question(Messages) of
            {Counted, Time} -> {Counted, Time, ""};
            {Counted, Time, Each} -> {Counted, Time, io_lib:format(", \"bytes_per_actor\": ~.1f", [Each])}
        end,
    io:format("{\"messages\": ~b, \"ns\": ~b~s}~n", [Measured, Ns, Bytes]).

warm_up("idle", _) -> 0;
warm_up("create", _) -> create:alive_at_once();
warm_up(_, Messages) -> Messages div 10.

%% From a start to now, for so many messages.
measured(Messages, Start) ->
    {Messages, erlang:convert_time_unit(erlang:monotonic_time() - Start, native, nanosecond)}.

%% The sum of the numbers below N.
sum_below(N) -> N * (N - 1) div 2.

resident_bytes() ->
    {ok, Text} = file:read_file("/proc/self/statm"),
    [_, Pages | _] = string:lexemes(Text, " "),
    binary_to_integer(Pages) * 4096.
