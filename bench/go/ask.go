package main

import "time"

type question struct {
	number int64
	reply  chan message
}

func answerer(box chan question) {
	for q := range box {
		q.reply <- message{q.number + 1}
	}
}

// A channel for each reply, as a reply that comes too late must not be taken for the next one.
func asker(box chan question, messages int, sum chan<- int64) {
	total := int64(0)
	for i := 0; i < messages; i++ {
		reply := make(chan message, 1)
		box <- question{int64(i), reply}
		total += (<-reply).number
	}
	sum <- total
}

func ask(messages int) outcome {
	box, sum := make(chan question, room), make(chan int64)
	go answerer(box)
	start := time.Now()
	go asker(box, messages, sum)
	total := <-sum
	result := measured(messages, start)
	close(box)
	verify("the sum of replies", total, sumBelow(messages+1))
	return result
}
