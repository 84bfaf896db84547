package main

import "time"

// Hits the ball back until it has bounced enough, and reports how often it was hit here.
func player(ball, back mailbox, hits chan<- int64) {
	handled := int64(0)
	for m := range ball {
		handled++
		if m.number > 1 {
			back <- message{m.number - 1}
		}
		if m.number <= 2 {
			break
		}
	}
	hits <- handled
}

func pingPong(pairs, messages int) outcome {
	bounces := max(messages/pairs, 2)
	hits := make(chan int64, 2*pairs)
	first := make([]mailbox, pairs)
	for i := range first {
		ping, pong := newMailbox(), newMailbox()
		go player(ping, pong, hits)
		go player(pong, ping, hits)
		first[i] = ping
	}
	start := time.Now()
	for _, ping := range first {
		ping <- message{int64(bounces)}
	}
	handled := int64(0)
	for i := 0; i < 2*pairs; i++ {
		handled += <-hits
	}
	result := measured(bounces*pairs, start)
	verify("the sum of hits", handled, int64(bounces*pairs))
	return result
}
