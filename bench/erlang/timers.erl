-module(timers).
-export([run/1]).

-define(HOUR, 3600000).

run(Messages) ->
    Half = Messages div 2,
    Count = 2 * Half,
    Start = erlang:monotonic_time(),
    Begun = erlang:convert_time_unit(Start, native, millisecond),
    Due = Begun + max(Count div 1000, 1),
    Odd = arm(Half, Due, Begun + ?HOUR, []),
    Cancelled = length([cancelled || Timer <- Odd, is_integer(erlang:cancel_timer(Timer))]),
    Wait = max(erlang:convert_time_unit(Due, millisecond, native) - erlang:monotonic_time(), 0),
    fired(Half),
    Measured = bench:measured(Count, Start + Wait),
    Cancelled = Half,
    Measured.

%% Two at a time: an even one, and an odd one to be cancelled.
arm(0, _, _, Odd) -> Odd;
arm(Left, Due, Never, Odd) ->
    erlang:send_after(Due, self(), even, [{abs, true}]),
    arm(Left - 1, Due, Never, [erlang:send_after(Never, self(), odd, [{abs, true}]) | Odd]).

fired(0) -> ok;
fired(Left) -> receive even -> fired(Left - 1) end.
