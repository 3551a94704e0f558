package main

import (
	"testing"
	"time"
)

func TestAReaderStopsAsOftenAsItIsToldTo(t *testing.T) {
	listener, err := listen("127.0.0.1:0", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go serve(listener)
	// more than a connection brings within a millisecond
	r := reader{address: listener.Addr().String(), bytes: 200 << 20, receiveBuffer: 64 << 10, on: time.Millisecond, off: 300 * time.Millisecond, stops: 2}
	result, err := r.run()
	if err != nil || result.Ms < 600 {
		t.Errorf("%+v, %v", result, err)
	}
}

func TestAReaderWithoutAServerFails(t *testing.T) {
	listener, err := listen("127.0.0.1:0", "")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	if result, err := (reader{address: listener.Addr().String(), bytes: 1}).run(); err == nil {
		t.Errorf("%+v", result)
	}
}
