/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/* Reading a packet. Nothing is trusted: a length that does not fit, a fragment or an unknown header makes it a packet that is left alone. */
#pragma once
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include "address.h"

#define FRAGMENT_BITS 0x3fff /* more fragments, and the offset */
#define TCP_FIN 0x01
#define TCP_SYN 0x02
#define DNS_PORT 53
#define DNS_HEADER_BYTES 12

/* Offsets count from the first byte of the link layer's header, or of the IP header where there is none. */
struct packet {
	struct flow_key key;
	__u32 network; /* offset of the IP header */
	__u32 transport; /* offset of the TCP or UDP header */
	__u32 payload; /* offset */
	__u32 end; /* offset behind the payload: short frames of Ethernet are longer than their packet */
	__u32 sequence; /* of TCP */
	__u8 flags; /* of TCP */
};

/* @returns NULL where the header is not in one piece with the packet's begin, as those of packets that this host makes are */
static __always_inline void *header_at(struct __sk_buff *skb, __u32 offset, __u32 bytes)
{
	void *header = (void *)(long)skb->data + offset;
	return header + bytes <= (void *)(long)skb->data_end ? header : NULL;
}

static __always_inline bool parse_ip4(struct __sk_buff *skb, struct packet *packet)
{
	const struct iphdr *ip = header_at(skb, packet->network, sizeof(*ip));
	if (!ip || ip->version != 4 || ip->ihl < 5 || (ip->frag_off & bpf_htons(FRAGMENT_BITS)))
		return false;
	set_ip4(packet->key.local, ip->saddr);
	set_ip4(packet->key.remote, ip->daddr);
	packet->key.protocol = ip->protocol;
	packet->transport = packet->network + ip->ihl * 4;
	/* a large send (BIG TCP) says none */
	packet->end = ip->tot_len ? packet->network + bpf_ntohs(ip->tot_len) : skb->len;
	return true;
}

static __always_inline bool parse_ip6(struct __sk_buff *skb, struct packet *packet)
{
	const struct ipv6hdr *ip = header_at(skb, packet->network, sizeof(*ip));
	if (!ip || ip->version != 6)
		return false;
	set_ip6(packet->key.local, ip->saddr.in6_u.u6_addr32);
	set_ip6(packet->key.remote, ip->daddr.in6_u.u6_addr32);
	packet->key.protocol = ip->nexthdr;
	packet->transport = packet->network + sizeof(*ip);
	packet->end = ip->payload_len ? packet->transport + bpf_ntohs(ip->payload_len) : skb->len;
	return true;
}

static __always_inline bool parse_tcp(struct __sk_buff *skb, struct packet *packet)
{
	const struct tcphdr *tcp = header_at(skb, packet->transport, sizeof(*tcp));
	if (!tcp || tcp->doff < 5)
		return false;
	packet->key.local_port = bpf_ntohs(tcp->source);
	packet->key.remote_port = bpf_ntohs(tcp->dest);
	packet->payload = packet->transport + tcp->doff * 4;
	packet->sequence = bpf_ntohl(tcp->seq);
	packet->flags = ((const __u8 *)tcp)[13];
	return packet->payload <= packet->end;
}

static __always_inline bool parse_dns(struct __sk_buff *skb, struct packet *packet)
{
	const struct udphdr *udp = header_at(skb, packet->transport, sizeof(*udp));
	if (!udp)
		return false;
	packet->key.local_port = bpf_ntohs(udp->source);
	packet->key.remote_port = bpf_ntohs(udp->dest);
	packet->payload = packet->transport + sizeof(*udp);
	return packet->key.remote_port == DNS_PORT && packet->payload + DNS_HEADER_BYTES <= packet->end;
}

/* @returns whether it is a packet of TCP or DNS that is understood; `packet` must be zeroed but for `network` */
static __always_inline bool parse(struct __sk_buff *skb, struct packet *packet)
{
	bool is_ip4 = skb->protocol == bpf_htons(ETH_P_IP), is_ip6 = skb->protocol == bpf_htons(ETH_P_IPV6);
	bool is_ip = is_ip4 ? parse_ip4(skb, packet) : is_ip6 && parse_ip6(skb, packet);
	if (!is_ip || packet->end > skb->len)
		return false;
	if (packet->key.protocol == IPPROTO_TCP)
		return parse_tcp(skb, packet);
	return packet->key.protocol == IPPROTO_UDP && parse_dns(skb, packet);
}
