/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/* What is read of the kernel's own TCP state (include/linux/tcp.h), wherever it is there (CO-RE), and whether TCP would take a segment. */
#pragma once
#include "packet.h"

struct tcp_options_received {
	__u32 ts_recent;
} __attribute__((preserve_access_index));

struct inet_connection_sock {
	const void *icsk_ulp_ops; /* of a protocol above that has the stream (ULP): MPTCP, kTLS */
} __attribute__((preserve_access_index));

struct tcp_sock {
	struct inet_connection_sock inet_conn;
	__u32 tsoffset;
	__u32 rcv_nxt, rcv_wup, rcv_wnd;
	__u32 snd_nxt, snd_una, max_window;
	__u64 bytes_received;
	struct tcp_options_received rx_opt;
} __attribute__((preserve_access_index));

#define TCP_RST 0x04
#define TCP_ACK 0x10
#define TCP_URG 0x20
#define CE 3 /* congestion experienced, RFC 3168 section 5 */

/* An incoming segment. */
struct segment {
	__u32 flow; /* its number */
	__u64 from, to; /* offsets in the stream, of its payload */
	__u32 acknowledges;
	__u32 value, echo; /* timestamps, RFC 7323 */
	bool has_timestamps;
};

static __always_inline bool is_after(__u32 a, __u32 b)
{
	return (__s32)(a - b) > 0;
}

/* Of bytes that this host has sent; an old one up to a window ago (RFC 5961 section 5.2). */
static __always_inline bool is_acknowledgement_acceptable(const struct tcp_sock *tcp, const struct segment *segment)
{
	return !is_after(segment->acknowledges, tcp->snd_nxt) && !is_after(tcp->snd_una - tcp->max_window, segment->acknowledges);
}

/* Within the window that the peer has been told (RFC 9293 section 3.10.7.4), and not older than what has come (PAWS, RFC 7323 section 5.3). */
static __always_inline bool is_acceptable(const struct tcp_sock *tcp, const struct segment *segment, __u32 end)
{
	bool is_old = segment->has_timestamps && is_after(tcp->rx_opt.ts_recent, segment->value);
	return !is_old && !is_after(end, tcp->rcv_wup + tcp->rcv_wnd) && is_acknowledgement_acceptable(tcp, segment);
}

/* As header_at, of an offset of a packet that was parsed: it is small, but the verifier may have forgotten that. */
static __always_inline void *parsed_at(struct __sk_buff *skb, __u64 offset, __u32 bytes)
{
	offset &= 0x7f;
	barrier_var(offset);
	return header_at(skb, offset, bytes);
}

struct timestamps {
	__u8 padding[2];
	__u8 kind, length;
	__u32 value, echo;
};

#define OPTION_NOP 1
#define OPTION_TIMESTAMPS 8

/* Timestamps are where nearly all stacks put them (RFC 7323 appendix A); elsewhere they count as missing. */
static __always_inline void read_segment(struct __sk_buff *skb, const struct packet *packet, struct segment *segment)
{
	const struct tcphdr *header = parsed_at(skb, packet->transport, sizeof(*header));
	if (!header)
		return;
	segment->acknowledges = bpf_ntohl(header->ack_seq);
	const struct timestamps *stamps = parsed_at(skb, packet->transport + sizeof(*header), sizeof(*stamps));
	if (!stamps || packet->payload < packet->transport + sizeof(*header) + sizeof(*stamps))
		return;
	bool is_padded = stamps->padding[0] == OPTION_NOP && stamps->padding[1] == OPTION_NOP;
	segment->has_timestamps = is_padded && stamps->kind == OPTION_TIMESTAMPS && stamps->length == sizeof(*stamps) - sizeof(stamps->padding);
	segment->value = bpf_ntohl(stamps->value);
	segment->echo = bpf_ntohl(stamps->echo);
}
