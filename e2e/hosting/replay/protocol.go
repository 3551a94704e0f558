package replay

// Protocol is how a page is entered and served.
type Protocol string

const (
	// ProtocolRecorded enters with the recorded scheme; TLS offers h2 and http/1.1.
	ProtocolRecorded Protocol = "recorded"
	// ProtocolHTTP1 enters over plain HTTP; TLS, which HSTS-preloaded hosts are upgraded to all the same, offers http/1.1.
	ProtocolHTTP1 Protocol = "http1"
	// ProtocolH1 enters over TLS that offers http/1.1.
	ProtocolH1 Protocol = "h1"
	// ProtocolH2 enters over TLS that offers h2 and, like every H2 server on the web, http/1.1 for clients without h2.
	ProtocolH2 Protocol = "h2"
)

// ParseProtocol answers the protocol of that name.
func ParseProtocol(name string) (Protocol, bool) {
	switch p := Protocol(name); p {
	case ProtocolRecorded, ProtocolHTTP1, ProtocolH1, ProtocolH2:
		return p, true
	}
	return "", false
}

// ALPN lists what TLS offers, in order of preference (RFC 7301).
func (p Protocol) ALPN() []string {
	if p == ProtocolHTTP1 || p == ProtocolH1 {
		return []string{"http/1.1"}
	}
	return []string{"h2", "http/1.1"}
}

// scheme is the one that every link of the page is to have, or "" to leave them as recorded.
func (p Protocol) scheme() string {
	switch p {
	case ProtocolHTTP1:
		return "http"
	case ProtocolH1, ProtocolH2:
		return "https"
	default:
		return ""
	}
}
