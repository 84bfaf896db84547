package main

import "time"

const deviceCount = 1024

// Adds up until its channel is closed.
func device(box mailbox, sum chan<- int64) {
	total := int64(0)
	for m := range box {
		total += m.number
	}
	sum <- total
}

func devices(messages int) outcome {
	boxes, sum := make([]mailbox, deviceCount), make(chan int64, deviceCount)
	for i := range boxes {
		boxes[i] = newMailbox()
		go device(boxes[i], sum)
	}
	start := time.Now()
	for i := 0; i < messages; i++ {
		boxes[i%deviceCount] <- message{int64(i)}
	}
	for _, box := range boxes {
		close(box)
	}
	total := int64(0)
	for range boxes {
		total += <-sum
	}
	result := measured(messages, start)
	verify("the sum", total, sumBelow(messages))
	return result
}
