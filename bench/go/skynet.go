package main

import "time"

func branch(parent mailbox, number int64, leaves int64) {
	if leaves == 1 {
		parent <- message{number}
		return
	}
	box := make(mailbox, 10)
	for i := int64(0); i < 10; i++ {
		go branch(box, number+i*leaves/10, leaves/10)
	}
	sum := int64(0)
	for i := 0; i < 10; i++ {
		sum += (<-box).number
	}
	parent <- message{sum}
}

func skynet(leaves int) outcome {
	root := newMailbox()
	start := time.Now()
	go branch(root, 0, int64(leaves))
	sum := (<-root).number
	result := measured(leaves, start)
	verify("the sum", sum, sumBelow(leaves))
	return result
}
