package dnsserver

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/miekg/dns"
)

func TestAnswers(t *testing.T) {
	address := netip.MustParseAddr("20.100.1.7")
	asked := make(chan string, 1)
	server, err := Start("127.0.0.1:0", func(host string) (netip.Addr, bool) { return address, host == "www.a.test" }, func(client, host string) {
		asked <- netip.MustParseAddrPort(client).Addr().String() + " " + host
	})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	cases := []struct {
		name    string
		qtype   uint16
		rcode   int
		address string
	}{
		{"www.a.test.", dns.TypeA, dns.RcodeSuccess, "20.100.1.7"},
		{"wWw.A.tesT.", dns.TypeA, dns.RcodeSuccess, "20.100.1.7"},
		{"www.a.test.", dns.TypeAAAA, dns.RcodeSuccess, ""},
		{"www.a.test.", dns.TypeHTTPS, dns.RcodeSuccess, ""},
		{"b.test.", dns.TypeA, dns.RcodeNameError, ""},
		{"b.test.", dns.TypeAAAA, dns.RcodeNameError, ""},
		{".", dns.TypeNS, dns.RcodeNameError, ""},
	}
	for _, network := range []string{"udp", "tcp"} {
		client := &dns.Client{Net: network}
		for _, c := range cases {
			query := new(dns.Msg).SetQuestion(c.name, c.qtype).SetEdns0(1232, false)
			reply, _, err := client.Exchange(query, server.Address())
			if err != nil {
				t.Fatal(network, c.name, err)
			}
			if heard, expected := <-asked, "127.0.0.1 "+strings.TrimSuffix(strings.ToLower(c.name), "."); heard != expected {
				t.Errorf("heard of %q, expected %q", heard, expected)
			}
			got := ""
			if len(reply.Answer) == 1 {
				got = reply.Answer[0].(*dns.A).A.String()
				if ttl := reply.Answer[0].Header().Ttl; ttl < 60 {
					t.Errorf("TTL is %d", ttl)
				}
			} else if len(reply.Ns) != 1 {
				t.Errorf("%s %s: a negative answer without SOA", c.name, dns.TypeToString[c.qtype])
			}
			if reply.Rcode != c.rcode || got != c.address || reply.IsEdns0() == nil {
				t.Errorf("%s: %s %s: %s %q", network, c.name, dns.TypeToString[c.qtype], dns.RcodeToString[reply.Rcode], got)
			}
		}
	}
}
