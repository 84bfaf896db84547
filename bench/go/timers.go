package main

import "time"

func timers(count int) outcome {
	box := newMailbox()
	start := time.Now()
	due := start.Add(time.Duration(count) * time.Microsecond)
	soon := func() { box <- message{1} }
	never := func() { box <- message{2} }

	armed := make([]*time.Timer, count)
	for i := range armed {
		if i%2 == 0 {
			armed[i] = time.AfterFunc(time.Until(due), soon)
		} else {
			armed[i] = time.AfterFunc(time.Hour, never)
		}
	}
	cancelled := int64(0)
	for i := 1; i < count; i += 2 {
		if armed[i].Stop() {
			cancelled++
		}
	}
	idle := time.Until(due)
	fired := int64(0)
	for i := 0; i < count; i += 2 {
		fired += (<-box).number
	}
	result := measured(count, start)
	if idle > 0 {
		result.Ns -= idle.Nanoseconds()
	}
	verify("fired timers", fired, int64((count+1)/2))
	verify("cancelled timers", cancelled, int64(count/2))
	return result
}
