package main

import "time"

// Go knows no thread that is outside. The nearest thing is the main goroutine, which is no actor. Locked to a thread of
// its own it would pay a switch of threads for each full mailbox, and nobody does that to send on a channel.
func outside(messages int) outcome {
	box, sum := newMailbox(), make(chan int64)
	go counter(box, messages, sum)
	start := time.Now()
	flood(box, 0, messages)
	total := <-sum
	result := measured(messages, start)
	verify("the sum", total, sumBelow(messages))
	return result
}
