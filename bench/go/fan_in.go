package main

import "time"

const senders = 8

func fanIn(messages int) outcome {
	each := messages / senders
	box, sum := newMailbox(), make(chan int64)
	go counter(box, each*senders, sum)
	start := time.Now()
	for i := 0; i < senders; i++ {
		go flood(box, i*each, (i+1)*each)
	}
	total := <-sum
	result := measured(each*senders, start)
	verify("the sum", total, sumBelow(each*senders))
	return result
}
