package main

import (
	"runtime"
	"time"
)

const offersATurn = 2 * room

// A way to offer a message; returns how many were lost by it.
type policy func(box mailbox, m message) int

func reject(box mailbox, m message) int {
	select {
	case box <- m:
		return 0
	default:
		return 1
	}
}

func dropOldest(box mailbox, m message) int {
	lost := 0
	for {
		select {
		case box <- m:
			return lost
		default:
		}
		select {
		case <-box:
			lost++
		default:
		}
	}
}

func block(box mailbox, m message) int {
	box <- m
	return 0
}

func producer(box mailbox, messages int, offer policy, yields bool, lost chan<- int) {
	count := 0
	for i := 0; i < messages; i++ {
		count += offer(box, message{1})
		if yields && i%offersATurn == offersATurn-1 {
			runtime.Gosched()
		}
	}
	close(box)
	lost <- count
}

func bounded(messages int, offer policy, yields bool) outcome {
	box, sum, lost := newMailbox(), make(chan int64), make(chan int, 1)
	go device(box, sum)
	start := time.Now()
	go producer(box, messages, offer, yields, lost)
	handled := <-sum
	result := measured(messages, start)
	result.Lost = <-lost
	verify("handled and lost messages", handled+int64(result.Lost), int64(messages))
	return result
}
