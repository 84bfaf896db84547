// The Go side: an actor is a goroutine that reads from a channel with room for 64, a message is a struct by value.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

const room = 64

type message struct{ number int64 }

type mailbox chan message

func newMailbox() mailbox { return make(mailbox, room) }

type outcome struct {
	Messages      int     `json:"messages"`
	Ns            int64   `json:"ns"`
	BytesPerActor float64 `json:"bytes_per_actor,omitempty"`
	Lost          int     `json:"lost,omitempty"`
}

var cases = map[string]func(messages int) outcome{
	"ping-pong-1":         func(messages int) outcome { return pingPong(1, messages) },
	"ping-pong-100":       func(messages int) outcome { return pingPong(100, messages) },
	"counting":            counting,
	"fan-in":              fanIn,
	"outside":             outside,
	"ring":                ring,
	"create":              create,
	"create-one":          createOne,
	"idle":                idle,
	"big":                 big,
	"skynet":              skynet,
	"ask":                 ask,
	"devices":             devices,
	"bounded-reject":      func(messages int) outcome { return bounded(messages, reject, true) },
	"bounded-drop-oldest": func(messages int) outcome { return bounded(messages, dropOldest, true) },
	"bounded-block":       func(messages int) outcome { return bounded(messages, block, false) },
	"timers":              timers,
}

func warmUp(name string, messages int) int {
	switch name {
	case "idle":
		return 0
	case "create":
		return aliveAtOnce
	}
	return messages / 10
}

// From a start to now, for so many messages.
func measured(messages int, start time.Time) outcome {
	return outcome{Messages: messages, Ns: time.Since(start).Nanoseconds()}
}

// Ends the program unless what arrived is what was sent.
func verify(what string, found, expected int64) {
	if found != expected {
		fmt.Fprintf(os.Stderr, "%s is %d, not %d\n", what, found, expected)
		os.Exit(1)
	}
}

func max(a, b int) int {
	if a > b {
		return a
	}
	return b
}

// The sum of the numbers below n.
func sumBelow(n int) int64 { return int64(n) * int64(n-1) / 2 }

func residentBytes() int64 {
	text, _ := os.ReadFile("/proc/self/statm")
	pages, _ := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

func main() {
	name, mailboxes := os.Args[1], os.Args[3]
	workers, _ := strconv.Atoi(os.Args[2])
	messages, _ := strconv.Atoi(os.Args[4])
	run, known := cases[name]
	if !known || mailboxes == "unbounded" {
		os.Exit(64)
	}
	runtime.GOMAXPROCS(workers)
	if first := warmUp(name, messages); first > 0 {
		run(first)
	}
	runtime.GC()
	line, _ := json.Marshal(run(messages))
	fmt.Println(string(line))
}
