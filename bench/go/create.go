package main

import (
	"sync/atomic"
	"time"
)

const aliveAtOnce = 200_000

var handledByAll atomic.Int64

// Lives until its channel is closed.
func mortal(box mailbox, gone chan<- struct{}) {
	handled := int64(0)
	for range box {
		handled++
	}
	handledByAll.Add(handled)
	gone <- struct{}{}
}

func create(messages int) outcome {
	rounds := (messages + aliveAtOnce - 1) / aliveAtOnce
	handledByAll.Store(0)
	boxes, gone := make([]mailbox, aliveAtOnce), make(chan struct{}, room)
	start := time.Now()
	for round := 0; round < rounds; round++ {
		for i := range boxes {
			boxes[i] = newMailbox()
			go mortal(boxes[i], gone)
			boxes[i] <- message{1}
		}
		for _, box := range boxes {
			close(box)
		}
		for range boxes {
			<-gone
		}
	}
	result := measured(rounds*aliveAtOnce, start)
	verify("handled messages", handledByAll.Load(), int64(rounds*aliveAtOnce))
	return result
}

func createOne(messages int) outcome {
	handledByAll.Store(0)
	gone := make(chan struct{})
	start := time.Now()
	for i := 0; i < messages; i++ {
		box := newMailbox()
		go mortal(box, gone)
		box <- message{1}
		close(box)
		<-gone
	}
	result := measured(messages, start)
	verify("handled messages", handledByAll.Load(), int64(messages))
	return result
}
