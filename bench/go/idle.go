package main

import (
	"runtime"
	"time"
)

func idle(actors int) outcome {
	runtime.GC()
	before := residentBytes()
	start := time.Now()
	boxes, gone := make([]mailbox, actors), make(chan struct{})
	handledByAll.Store(0)
	for i := range boxes {
		boxes[i] = newMailbox()
		go mortal(boxes[i], gone)
	}
	runtime.Gosched()
	result := measured(actors, start)
	time.Sleep(100 * time.Millisecond) // until all have begun to wait
	result.BytesPerActor = float64(residentBytes()-before) / float64(actors)
	for _, box := range boxes {
		box <- message{1}
		close(box)
		<-gone
	}
	verify("handled messages", handledByAll.Load(), int64(actors))
	return result
}
