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

struct packet {
	struct flow_key key;
	__u32 network; /* offset of the IP header: the bytes of the link layer's */
	__u32 transport; /* offset of the TCP or UDP header */
	__u32 payload; /* offset */
	__u32 payload_bytes;
	__u32 sequence;
	__u8 flags; /* of TCP */
};

/* What is behind the header of IP; that of UDP is shorter. */
union transport {
	struct tcphdr tcp;
	struct udphdr udp;
};

struct ip4_headers {
	struct iphdr ip;
	union transport transport;
} __attribute__((aligned(8)));

struct ip6_headers {
	struct ipv6hdr ip;
	union transport transport;
} __attribute__((aligned(8)));

/* Reads headers, which nearly always lie in one piece: then in place, as calls are what programs take time for. @returns false when there are fewer bytes */
static __always_inline bool read_headers(struct __sk_buff *skb, __u32 offset, void *to, __u32 bytes)
{
	const void *from = (void *)(long)skb->data + offset;
	if (from + bytes > (void *)(long)skb->data_end)
		return !bpf_skb_load_bytes(skb, offset, to, bytes);
	__builtin_memcpy(__builtin_assume_aligned(to, 8), __builtin_assume_aligned(from, 8), bytes);
	return true;
}

static __always_inline void set_ports(struct flow_key *key, __u16 source, __u16 destination)
{
	key->local_port = bpf_ntohs(source);
	key->remote_port = bpf_ntohs(destination);
}

static __always_inline bool parse_tcp(struct packet *packet, const struct tcphdr *tcp, __u32 end)
{
	if (tcp->doff < 5)
		return false;
	packet->payload = packet->transport + tcp->doff * 4;
	if (packet->payload > end)
		return false;
	packet->payload_bytes = end - packet->payload;
	packet->sequence = bpf_ntohl(tcp->seq);
	packet->flags = ((__u8 *)tcp)[13];
	set_ports(&packet->key, tcp->source, tcp->dest);
	return true;
}

static __always_inline bool parse_dns(struct packet *packet, const struct udphdr *udp, __u32 end)
{
	set_ports(&packet->key, udp->source, udp->dest);
	packet->payload = packet->transport + sizeof(struct udphdr);
	if (packet->key.remote_port != DNS_PORT || packet->payload + DNS_HEADER_BYTES > end)
		return false;
	packet->payload_bytes = end - packet->payload;
	return true;
}

/* @param length of the IP header and its payload, as that says; 0: it does not */
static __always_inline bool parse_transport(struct __sk_buff *skb, struct packet *packet, const union transport *header, __u32 length)
{
	/* none is said of a large send (BIG TCP); short frames of Ethernet are longer than their packet */
	__u32 there = skb->len - packet->network;
	if (!length)
		length = there;
	__u32 end = packet->network + length;
	if (length > there || packet->transport >= end)
		return false;
	if (packet->key.protocol == IPPROTO_TCP)
		return parse_tcp(packet, &header->tcp, end);
	return packet->key.protocol == IPPROTO_UDP && parse_dns(packet, &header->udp, end);
}

static __always_inline bool parse_ip4(struct __sk_buff *skb, struct packet *packet, __u16 mac_bytes)
{
	struct flow_key *key = &packet->key;
	struct ip4_headers headers;
	if (!read_headers(skb, mac_bytes, &headers, sizeof(headers.ip) + sizeof(headers.transport)))
		return false;
	const struct iphdr *ip = &headers.ip;
	if (ip->version != 4 || ip->ihl < 5 || (ip->frag_off & bpf_htons(FRAGMENT_BITS)))
		return false;
	set_ip4(key->local, ip->saddr);
	set_ip4(key->remote, ip->daddr);
	key->protocol = ip->protocol;
	packet->transport = packet->network + ip->ihl * 4;
	__u32 length = bpf_ntohs(ip->tot_len);
	if (ip->ihl > 5 && bpf_skb_load_bytes(skb, packet->transport, &headers.transport, sizeof(headers.transport)))
		return false;
	return parse_transport(skb, packet, &headers.transport, length);
}

static __always_inline bool parse_ip6(struct __sk_buff *skb, struct packet *packet, __u16 mac_bytes)
{
	struct flow_key *key = &packet->key;
	struct ip6_headers headers;
	if (!read_headers(skb, mac_bytes, &headers, sizeof(headers.ip) + sizeof(headers.transport)) || headers.ip.version != 6)
		return false;
	const struct ipv6hdr *ip = &headers.ip;
	set_ip6(key->local, ip->saddr.in6_u.u6_addr32);
	set_ip6(key->remote, ip->daddr.in6_u.u6_addr32);
	key->protocol = ip->nexthdr;
	packet->transport = packet->network + sizeof(*ip);
	__u32 length = bpf_ntohs(ip->payload_len);
	return parse_transport(skb, packet, &headers.transport, length ? length + sizeof(*ip) : 0);
}

/* @returns whether it is a packet of TCP or DNS that is understood; `packet` must be zeroed */
static __always_inline bool parse(struct __sk_buff *skb, struct packet *packet, __u16 mac_bytes)
{
	packet->network = mac_bytes;
	if (skb->protocol == bpf_htons(ETH_P_IP))
		return parse_ip4(skb, packet, mac_bytes);
	return skb->protocol == bpf_htons(ETH_P_IPV6) && parse_ip6(skb, packet, mac_bytes);
}
