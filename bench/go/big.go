package main

import (
	"math/rand"
	"time"
)

const crowd = 120

type letter struct {
	from int32
	pong bool
}

// Sends its pings one after the other, answers those of others, and ends when its channel is closed.
func talker(own int32, pings int, boxes []chan letter, done chan<- struct{}, handled chan<- int64) {
	random := rand.New(rand.NewSource(int64(own)))
	ping := func() {
		other := (own + 1 + random.Int31n(crowd-1)) % crowd
		boxes[other] <- letter{own, false}
	}
	count, left := int64(0), pings
	ping()
	for m := range boxes[own] {
		count++
		if !m.pong {
			boxes[m.from] <- letter{own, true}
		} else if left--; left > 0 {
			ping()
		} else {
			done <- struct{}{}
		}
	}
	handled <- count
}

func big(messages int) outcome {
	pings := max(messages/(2*crowd), 1)
	boxes := make([]chan letter, crowd)
	for i := range boxes {
		boxes[i] = make(chan letter, room)
	}
	done, handled := make(chan struct{}), make(chan int64, crowd)
	start := time.Now()
	for i := range boxes {
		go talker(int32(i), pings, boxes, done, handled)
	}
	for range boxes {
		<-done
	}
	result := measured(2*crowd*pings, start)
	count := int64(0)
	for _, box := range boxes {
		close(box)
		count += <-handled
	}
	verify("handled messages", count, int64(2*crowd*pings))
	return result
}
