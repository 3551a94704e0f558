/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * A hole of the stream is filled by making the segment behind it longer to the front: TCP sees one segment in order. What stands for the hole is zeros.
 *
 *     before   | IP |                 TCP | payload |
 *     room     | IP | 0 0 0 0 0 0 0 | TCP | payload |     bpf_skb_adjust_room
 *     after    | IP | TCP | 0 0 0 0 0 0 0 | payload |
 */
#pragma once
#include "packet.h"

#define ROOM_BYTES 4095 /* that one call makes at the most */
#define ROOM_CALLS 4
#define MAX_HOLE_BYTES (ROOM_CALLS * ROOM_BYTES)
#define MAX_IP_BYTES 65535
/* What one packet may be grown to: SKB_MAX_ALLOC of pages of 4 KiB, without what the kernel keeps with it. Merged ones (GRO) have no such limit. */
#define MAX_SINGLE_BYTES 15872
#define MAX_TCP_HEADER 60

enum filled {
	FILLED,
	UNCHANGED, /* it can not be */
	SPOILT, /* in the middle: the packet must be dropped */
};

/* Sums of the Internet (RFC 1071) over words as they lie in memory: which order that is makes no difference. */
static __always_inline __u16 fold(__u64 sum)
{
	sum = (sum & 0xffffffff) + (sum >> 32);
	sum = (sum & 0xffff) + ((sum >> 16) & 0xffff) + (sum >> 32);
	sum = (sum & 0xffff) + (sum >> 16);
	return (sum & 0xffff) + (sum >> 16);
}

static __always_inline __u16 negative(__u16 sum)
{
	return ~sum;
}

/* Of what begins at an odd byte, as if it began at an even one, or the other way round. */
static __always_inline __u16 shifted(__u16 sum, __u32 bytes)
{
	return bytes & 1 ? __builtin_bswap16(sum) : sum;
}

/* Of addresses, protocol and length; ::ffff: before IPv4 addresses adds nothing (0xffff is 0). */
static __always_inline __u64 pseudo_header_sum(struct flow_key *key, __u32 bytes)
{
	__u64 sum = (__u32)bpf_csum_diff(NULL, 0, key->local, sizeof(key->local) + sizeof(key->remote), 0);
	return sum + bpf_htons(IPPROTO_TCP) + bpf_htons(bytes);
}

static __always_inline bool has_room(const struct __sk_buff *skb, const struct packet *packet, __u64 hole)
{
	/* options of IP would end behind the room */
	__u32 ip_header = skb->protocol == bpf_htons(ETH_P_IP) ? sizeof(struct iphdr) : sizeof(struct ipv6hdr);
	bool is_merged = skb->gso_size;
	if (hole > MAX_HOLE_BYTES || packet->transport - packet->network != ip_header)
		return false;
	return packet->end - packet->network + hole <= MAX_IP_BYTES && (is_merged || skb->len + hole <= MAX_SINGLE_BYTES);
}

static __always_inline enum filled make_room(struct __sk_buff *skb, __u32 bytes)
{
	for (int call = 0; call < ROOM_CALLS && bytes; call++) {
		__u32 part = bytes < ROOM_BYTES ? bytes : ROOM_BYTES;
		if (bpf_skb_adjust_room(skb, part, BPF_ADJ_ROOM_NET, BPF_F_ADJ_ROOM_FIXED_GSO | BPF_F_ADJ_ROOM_NO_CSUM_RESET))
			return call ? SPOILT : UNCHANGED;
		bytes -= part;
	}
	return FILLED;
}

static __always_inline bool mend_ip4_length(struct __sk_buff *skb, const struct packet *packet, __u32 hole)
{
	__u16 old, new, check;
	__u32 length_at = packet->network + offsetof(struct iphdr, tot_len), check_at = packet->network + offsetof(struct iphdr, check);
	if (bpf_skb_load_bytes(skb, length_at, &old, sizeof(old)) || bpf_skb_load_bytes(skb, check_at, &check, sizeof(check)))
		return false;
	new = bpf_htons(packet->end - packet->network + hole);
	check = negative(fold((__u64)negative(check) + negative(old) + new)); /* RFC 1624 */
	return !bpf_skb_store_bytes(skb, length_at, &new, sizeof(new), BPF_F_RECOMPUTE_CSUM) &&
		!bpf_skb_store_bytes(skb, check_at, &check, sizeof(check), BPF_F_RECOMPUTE_CSUM);
}

static __always_inline bool mend_ip_length(struct __sk_buff *skb, const struct packet *packet, __u32 hole)
{
	if (skb->protocol == bpf_htons(ETH_P_IP))
		return mend_ip4_length(skb, packet, hole);
	__u16 bytes = bpf_htons(packet->end - packet->transport + hole);
	return !bpf_skb_store_bytes(skb, packet->network + offsetof(struct ipv6hdr, payload_len), &bytes, sizeof(bytes), BPF_F_RECOMPUTE_CSUM);
}

union header {
	struct tcphdr tcp;
	__be32 words[MAX_TCP_HEADER / 4];
};

/*
 * With the new sequence number and sum. A sum that was left to the device (CHECKSUM_PARTIAL: of packets that were on no wire, and of those that GRO has merged)
 * nobody looks at on the way to TCP, and what becomes of it does not matter.
 *
 * @returns what a sum that the device has made of the whole packet changes by: room of an odd length shifts what follows
 */
static __always_inline __u16 mend_header(union header *header, struct flow_key *key, __u64 header_bytes, __u32 bytes, __u32 hole)
{
	__u64 before = pseudo_header_sum(key, bytes), after = pseudo_header_sum(key, bytes + hole);
	/* a right sum says what that of the payload is; in a wrong one the error stays */
	__u16 payload = negative(fold(before + (__u32)bpf_csum_diff(NULL, 0, header->words, header_bytes, 0)));
	header->tcp.seq = bpf_htonl(bpf_ntohl(header->tcp.seq) - hole);
	header->tcp.check = 0;
	__u64 sum = after + shifted(payload, hole) + (__u32)bpf_csum_diff(NULL, 0, header->words, header_bytes, 0);
	header->tcp.check = negative(fold(sum));
	__u16 whole = negative(fold(before));
	return hole & 1 ? fold((__u64)shifted(whole, hole) + negative(whole)) : 0;
}

#define ZEROS 64 /* a power of two that no header is longer than */
static const __u8 zeros[ZEROS];

/* Puts the header in front of the room, and zeros where it was: the rest of the room is zeros already. */
static __always_inline bool move_header(struct __sk_buff *skb, const struct packet *packet, const union header *header, __u64 bytes, __u64 hole)
{
	if (bpf_skb_store_bytes(skb, packet->transport, header, bytes, BPF_F_RECOMPUTE_CSUM))
		return false;
	__u64 left = hole < bytes ? hole : bytes;
	barrier_var(left);
	left = ((left - 1) & (ZEROS - 1)) + 1; /* it is: before 6.8 "not 0" tells the verifier nothing */
	return !bpf_skb_store_bytes(skb, packet->transport + bytes + hole - left, zeros, left, BPF_F_RECOMPUTE_CSUM);
}

/* Makes a segment begin `hole` bytes before it does. `packet` is not true of it any more. */
static __always_inline enum filled fill(struct __sk_buff *skb, struct packet *packet, __u32 hole)
{
	union header header = {};
	__u64 bytes = (packet->payload - packet->transport) & 0x3c;
	barrier_var(bytes); /* what is compared is what is used, with one bound after the other: the verifier follows registers */
	if (bytes < sizeof(header.tcp))
		return UNCHANGED;
	barrier_var(bytes);
	if (bytes > sizeof(header) || bpf_skb_load_bytes(skb, packet->transport, &header, bytes))
		return UNCHANGED;
	__u16 shift = mend_header(&header, &packet->key, bytes, packet->end - packet->transport, hole);
	enum filled room = make_room(skb, hole);
	if (room != FILLED)
		return room;
	if (shift)
		bpf_csum_update(skb, shift); /* refused where no device has summed all */
	return move_header(skb, packet, &header, bytes, hole) && mend_ip_length(skb, packet, hole) ? FILLED : SPOILT;
}
