module firstscreen/e2e

go 1.25.0

require (
	github.com/andybalholm/brotli v1.2.8
	github.com/miekg/dns v1.1.73
	github.com/vishvananda/netlink v1.3.1
	golang.org/x/net v0.57.0
	golang.org/x/sys v0.47.0
)

require (
	github.com/vishvananda/netns v0.0.5 // indirect
	golang.org/x/text v0.40.0 // indirect
)
