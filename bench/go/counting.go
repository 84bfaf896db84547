package main

import "time"

// Receives so many messages, and reports the sum of their numbers.
func counter(box mailbox, messages int, sum chan<- int64) {
	total := int64(0)
	for i := 0; i < messages; i++ {
		total += (<-box).number
	}
	sum <- total
}

func flood(box mailbox, first, end int) {
	for i := first; i < end; i++ {
		box <- message{int64(i)}
	}
}

func counting(messages int) outcome {
	box, sum := newMailbox(), make(chan int64)
	go counter(box, messages, sum)
	start := time.Now()
	go flood(box, 0, messages)
	total := <-sum
	result := measured(messages, start)
	verify("the sum", total, sumBelow(messages))
	return result
}
