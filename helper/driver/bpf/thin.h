/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/* RAR (A3, section 4.2): thin messages are shown to the daemon, which sends copies of them. */
#pragma once
#include "state.h"

/* Handshakes, requests, a ClientHello of some segments: what a flow has on the way in all. More is bulk, which is never sent twice. */
#define THIN_BYTES 4380 /* three segments of 1460 bytes: the initial window of RFC 3390 */
#define SHOWN_BYTES 4864 /* with all headers and options */

struct thin {
	struct packet packet;
	struct tcp_state state; /* where there is none yet, and of DNS: zeros */
	__u64 now_ns; /* CLOCK_MONOTONIC */
	__u32 ifindex;
	__u32 end; /* sequence number: acknowledged when the peer has said to have all before it */
	__u32 segment_bytes; /* payload of each segment; 0: one segment */
	__s32 vlan; /* tag control information, in host order; -1: none */
	__u16 protocol; /* EtherType, in network order: of the tag, where there is one (802.1Q, 802.1ad) */
	__u8 bytes[SHOWN_BYTES];
};

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);
} thin_messages SEC(".maps");

/* Too large for a program's stack; egress runs with bottom halves off, so one a processor is enough. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct thin);
} thin_scratch SEC(".maps");

/* @param tcp NULL: none yet, or DNS */
static __always_inline void show_thin(struct __sk_buff *skb, const struct packet *packet, const struct bpf_tcp_sock *tcp, __u32 end)
{
	__u32 zero = 0;
	struct thin *thin = bpf_map_lookup_elem(&thin_scratch, &zero);
	__u64 bytes = packet->end;
	/* What is compared is what is used, with one bound after the other: the verifier follows registers, and before 6.8 "not 0" told it nothing. */
	barrier_var(bytes);
	if (!thin || bytes < sizeof(struct iphdr))
		return;
	barrier_var(bytes);
	if (bytes > SHOWN_BYTES || bpf_skb_load_bytes(skb, 0, thin->bytes, bytes))
		return;
	thin->packet = *packet;
	thin->state = (struct tcp_state){};
	if (tcp)
		read_state(tcp, &thin->state);
	thin->now_ns = bpf_ktime_get_ns();
	thin->ifindex = skb->ifindex;
	thin->end = end;
	thin->segment_bytes = skb->gso_segs > 1 ? skb->gso_size : 0;
	thin->vlan = skb->vlan_present ? skb->vlan_tci : -1;
	__u32 of_tag = skb->vlan_proto;
	barrier_var(of_tag); /* the compiler would choose between places of the context, which may be read only where they are */
	thin->protocol = skb->vlan_present ? of_tag : skb->protocol;
	if (bpf_ringbuf_output(&thin_messages, thin, offsetof(struct thin, bytes) + bytes, 0))
		__sync_fetch_and_add(&counters.thin_lost, 1);
}
