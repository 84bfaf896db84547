package main

import "time"

const ringSize = 503

// Hands the token on. Who gets the last one reports it; all end when their own channel is closed.
func node(token, next mailbox, last chan<- int64, hops chan<- int64) {
	handled := int64(0)
	for m := range token {
		handled++
		if m.number == 1 {
			last <- 1
		} else {
			next <- message{m.number - 1}
		}
	}
	hops <- handled
}

func ring(messages int) outcome {
	nodes := make([]mailbox, ringSize)
	for i := range nodes {
		nodes[i] = newMailbox()
	}
	last, hops := make(chan int64), make(chan int64, ringSize)
	for i, token := range nodes {
		go node(token, nodes[(i+1)%ringSize], last, hops)
	}
	start := time.Now()
	nodes[0] <- message{int64(messages)}
	<-last
	result := measured(messages, start)
	handled := int64(0)
	for _, token := range nodes {
		close(token)
		handled += <-hops
	}
	verify("the sum of hops", handled, int64(messages))
	return result
}
