/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * AM (NSF report, section VII): what a young connection has received is acknowledged in a segment of its own as well, not only in a data segment, which
 * is longer and so is lost more often.
 */
#pragma once
#include "counters.h"
#include "packet.h"
#include "track.h"

#define YOUNG_BYTES 9216 /* gamma, 9 KB */
#define TCP_FLAGS_OFFSET 13
#define TCP_CHECKSUM_OFFSET 16
#define IPV4_LENGTH_OFFSET 2
#define IPV4_CHECKSUM_OFFSET 10
#define IPV6_LENGTH_OFFSET 4

/* Set before the program is loaded. */
volatile const __u32 own_mark; /* of packets that the driver sends itself */
volatile const __u32 again_mark; /* of messages that it sends once more, a round trip later */

static __always_inline bool is_young(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;
	if (!sk)
		return false;
	sk = bpf_sk_fullsock(sk);
	if (!sk)
		return false;
	struct bpf_tcp_sock *tcp = bpf_tcp_sock(sk);
	return tcp && (__u64)tcp->snd_cwnd * tcp->mss_cache < YOUNG_BYTES;
}

/* What is left of the packet is the acknowledgement; its data has gone in a packet of its own before. @returns false when the packet can not be sent any more */
static __always_inline bool cut_to_acknowledgement(struct __sk_buff *skb, const struct packet *packet)
{
	__u32 before_bytes = packet->payload + packet->payload_bytes - packet->transport;
	__u32 after_bytes = packet->payload - packet->transport;
	__u8 flags = TCP_ACK;
	if (bpf_skb_change_tail(skb, packet->payload, 0))
		return false;
	/* TCP leaves its checksum to the device: the field holds the sum of the pseudo header, in which only the length changes */
	if (bpf_l4_csum_replace(skb, packet->transport + TCP_CHECKSUM_OFFSET, bpf_htons(before_bytes), bpf_htons(after_bytes), BPF_F_PSEUDO_HDR | 2))
		return false;
	if (bpf_skb_store_bytes(skb, packet->transport + TCP_FLAGS_OFFSET, &flags, 1, 0))
		return false;
	__u16 length = bpf_htons(packet->is_ipv6 ? after_bytes : packet->payload - packet->network);
	if (packet->is_ipv6)
		return !bpf_skb_store_bytes(skb, packet->network + IPV6_LENGTH_OFFSET, &length, 2, 0);
	__u16 old_length = bpf_htons(packet->payload + packet->payload_bytes - packet->network);
	return !bpf_l3_csum_replace(skb, packet->network + IPV4_CHECKSUM_OFFSET, old_length, length, 2) &&
	       !bpf_skb_store_bytes(skb, packet->network + IPV4_LENGTH_OFFSET, &length, 2, 0);
}

/* @returns false when the packet was spoilt: its data has gone, so it is dropped */
static __always_inline bool split_acknowledgement(struct __sk_buff *skb, const struct packet *packet, struct flow *flow)
{
	bool is_new = (packet->flags & TCP_ACK) && packet->acknowledgement != flow->acknowledgement;
	flow->acknowledgement = packet->acknowledgement;
	if (!is_new || !packet->payload_bytes || (packet->flags & (TCP_SYN | TCP_RST | TCP_FIN)) || !is_young(skb))
		return true;
	__u32 mark = skb->mark;
	skb->mark = own_mark;
	long failed = bpf_clone_redirect(skb, skb->ifindex, 0);
	skb->mark = mark;
	if (failed) {
		count(SPLIT_FAILED);
		return true;
	}
	count(ACKNOWLEDGEMENTS_SPLIT);
	return cut_to_acknowledgement(skb, packet);
}
