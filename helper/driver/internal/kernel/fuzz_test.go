package kernel

import "testing"

// Whatever lies in the ring buffer: no panic, and a message has frames.
func FuzzDecode(f *testing.F) {
	f.Add(make([]byte, 96))
	f.Add(make([]byte, 200))
	f.Fuzz(func(t *testing.T, sample []byte) {
		message, err := Decode(sample)
		if err == nil && len(message.Frames) == 0 {
			t.Errorf("%x is read as %+v", sample, message)
		}
	})
}
