/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/* Reading a packet. Nothing is trusted: a length that does not fit, a fragment or an unknown header makes it a packet that is left alone. */
#pragma once
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include "flow.h"

#define FRAGMENT_BITS 0x3fff /* more fragments, and the offset */
#define TCP_FIN 0x01
#define TCP_SYN 0x02
#define TCP_RST 0x04
#define TCP_PSH 0x08
#define TCP_ACK 0x10
#define DNS_PORT 53
#define DNS_HEADER_BYTES 12

/* Eight bytes for each number that the verifier knows bounds of, as for addresses (flow.h). */
struct packet {
	struct flow_key key;
	__u64 network; /* offset of the IP header: the bytes of the link layer's */
	__u64 transport; /* offset of the TCP or UDP header */
	__u64 payload; /* offset */
	__u64 payload_bytes;
	__u32 sequence;
	__u32 acknowledgement;
	__u64 flags; /* of TCP */
	__u64 is_ipv6;
};

enum direction { INCOMING, OUTGOING };

/* @returns the bytes of the IP header and its payload, or 0 */
static __always_inline __u32 parse_network(struct __sk_buff *skb, struct packet *packet, enum direction direction)
{
	struct flow_key *key = &packet->key;
	__u32 length;
	if (skb->protocol == bpf_htons(ETH_P_IP)) {
		struct iphdr ip;
		if (bpf_skb_load_bytes(skb, packet->network, &ip, sizeof(ip)) || ip.version != 4 || ip.ihl < 5 || (ip.frag_off & bpf_htons(FRAGMENT_BITS)))
			return 0;
		set_ip4(key->local, direction == OUTGOING ? ip.saddr : ip.daddr);
		set_ip4(key->remote, direction == OUTGOING ? ip.daddr : ip.saddr);
		key->protocol = ip.protocol;
		packet->transport = packet->network + ip.ihl * 4;
		length = bpf_ntohs(ip.tot_len);
	} else if (skb->protocol == bpf_htons(ETH_P_IPV6)) {
		struct ipv6hdr ip;
		if (bpf_skb_load_bytes(skb, packet->network, &ip, sizeof(ip)) || ip.version != 6)
			return 0;
		set_ip6(key->local, direction == OUTGOING ? ip.saddr.in6_u.u6_addr32 : ip.daddr.in6_u.u6_addr32);
		set_ip6(key->remote, direction == OUTGOING ? ip.daddr.in6_u.u6_addr32 : ip.saddr.in6_u.u6_addr32);
		key->protocol = ip.nexthdr;
		packet->transport = packet->network + sizeof(ip);
		length = bpf_ntohs(ip.payload_len);
		if (length)
			length += sizeof(ip);
		packet->is_ipv6 = 1;
	} else
		return 0;
	/* none is said of a large send (BIG TCP); short frames of Ethernet are longer than their packet */
	__u32 there = skb->len - packet->network;
	if (!length)
		length = there;
	return length > there ? 0 : length;
}

static __always_inline void set_ports(struct flow_key *key, __u16 source, __u16 destination, enum direction direction)
{
	key->local_port = bpf_ntohs(direction == OUTGOING ? source : destination);
	key->remote_port = bpf_ntohs(direction == OUTGOING ? destination : source);
}

static __always_inline bool parse_tcp(struct __sk_buff *skb, struct packet *packet, __u32 end, enum direction direction)
{
	struct tcphdr tcp;
	if (bpf_skb_load_bytes(skb, packet->transport, &tcp, sizeof(tcp)) || tcp.doff < 5)
		return false;
	packet->payload = packet->transport + tcp.doff * 4;
	if (packet->payload > end)
		return false;
	packet->payload_bytes = end - packet->payload;
	packet->sequence = bpf_ntohl(tcp.seq);
	packet->acknowledgement = bpf_ntohl(tcp.ack_seq);
	packet->flags = ((__u8 *)&tcp)[13];
	set_ports(&packet->key, tcp.source, tcp.dest, direction);
	return true;
}

/* DNS: of other protocols over UDP nothing says what answers what. */
static __always_inline bool parse_dns(struct __sk_buff *skb, struct packet *packet, __u32 end, enum direction direction)
{
	struct {
		struct udphdr udp;
		__u16 id;
	} dns;
	if (bpf_skb_load_bytes(skb, packet->transport, &dns, sizeof(dns)))
		return false;
	set_ports(&packet->key, dns.udp.source, dns.udp.dest, direction);
	packet->payload = packet->transport + sizeof(dns.udp);
	if (packet->key.remote_port != DNS_PORT || packet->payload + DNS_HEADER_BYTES > end)
		return false;
	packet->payload_bytes = end - packet->payload;
	packet->key.transaction = dns.id;
	return true;
}

/* @returns whether it is a packet of TCP or DNS that is understood; `packet` must be zeroed */
static __always_inline bool parse(struct __sk_buff *skb, struct packet *packet, __u16 mac_bytes, enum direction direction)
{
	packet->network = mac_bytes;
	__u32 length = parse_network(skb, packet, direction);
	__u32 end = packet->network + length;
	if (!length || packet->transport >= end)
		return false;
	if (packet->key.protocol == IPPROTO_TCP)
		return parse_tcp(skb, packet, end, direction);
	return packet->key.protocol == IPPROTO_UDP && parse_dns(skb, packet, end, direction);
}
