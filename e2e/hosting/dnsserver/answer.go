// Package dnsserver resolves the names of the current page.
package dnsserver

import (
	"net/netip"

	"github.com/miekg/dns"
)

// ttlSeconds is long enough that no name is asked for twice during one page load.
const ttlSeconds = 300

// Resolve answers the address of a recorded host.
type Resolve func(host string) (netip.Addr, bool)

// Asked hears of every name that is asked for, and by whom ("ip:port").
type Asked func(client, host string)

// answer is the reply to a query: A for recorded hosts, nothing for their other types, NXDOMAIN for all other names.
func answer(query *dns.Msg, resolve Resolve) *dns.Msg {
	reply := new(dns.Msg).SetReply(query)
	reply.Authoritative = true
	reply.RecursionAvailable = true
	if edns := query.IsEdns0(); edns != nil {
		// RFC 6891, 6.1.1: a query with OPT is answered with OPT.
		reply.SetEdns0(edns.UDPSize(), false)
	}
	if query.Opcode != dns.OpcodeQuery || len(query.Question) != 1 || query.Question[0].Qclass != dns.ClassINET {
		reply.Rcode = dns.RcodeNotImplemented
		return reply
	}
	question := query.Question[0]
	// Resolvers may mix the case of letters (draft-vixie-dnsext-dns0x20); the answer repeats the question as asked.
	address, known := resolve(hostName(question.Name))
	if known && question.Qtype == dns.TypeA {
		reply.Answer = []dns.RR{&dns.A{Hdr: header(question.Name, dns.TypeA), A: address.AsSlice()}}
		return reply
	}
	if !known {
		reply.Rcode = dns.RcodeNameError
	}
	// Without SOA a negative answer must not be cached (RFC 2308, 5), and browsers would ask again within the page.
	reply.Ns = []dns.RR{&dns.SOA{
		Hdr: header(".", dns.TypeSOA), Ns: "firstscreen.invalid.", Mbox: "nobody.invalid.",
		Serial: 1, Refresh: ttlSeconds, Retry: ttlSeconds, Expire: ttlSeconds, Minttl: ttlSeconds,
	}}
	return reply
}

func hostName(name string) string {
	canonical := dns.CanonicalName(name)
	return canonical[:len(canonical)-1]
}

func header(name string, rrtype uint16) dns.RR_Header {
	return dns.RR_Header{Name: name, Rrtype: rrtype, Class: dns.ClassINET, Ttl: ttlSeconds}
}
