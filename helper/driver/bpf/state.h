/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/* TCP's own state of a connection: what was acknowledged, how long that took, what the peer got twice. */
#pragma once
#include "lookup.h"

struct tcp_state {
	__u32 acknowledged; /* snd_una */
	__u32 rtt_eighths_us; /* smoothed, in eighths of a microsecond as the kernel keeps it; 0: not known yet */
	__u32 least_rtt_us; /* of the last five minutes (net.ipv4.tcp_min_rtt_wlen) */
	__u32 duplicates; /* DSACK, RFC 2883: what the peer got twice */
	__u32 sacked; /* SACK, RFC 2018: packets that the peer has behind one that it misses */
};

static __always_inline void read_state(const struct bpf_tcp_sock *tcp, struct tcp_state *to)
{
	to->acknowledged = tcp->snd_una;
	to->rtt_eighths_us = tcp->srtt_us;
	to->least_rtt_us = tcp->rtt_min;
	to->duplicates = tcp->dsack_dups;
	to->sacked = tcp->sacked_out;
}

/* What the daemon asks by running look_up on it as on a packet. */
struct flow {
	struct flow_key key;
	struct tcp_state state;
};

const struct flow *asked __attribute__((unused)); /* so that the daemon's type is made of it */

/* In place, as the daemon reads it from what it has asked with. */
static __always_inline int answer(struct __sk_buff *skb)
{
	struct flow *flow = (void *)(long)skb->data;
	if ((void *)(flow + 1) > (void *)(long)skb->data_end)
		return GONE;
	struct bpf_sock *sk = look_up_socket(skb, &flow->key);
	if (!sk)
		return GONE;
	struct bpf_tcp_sock *tcp = flow->key.protocol == IPPROTO_TCP ? bpf_tcp_sock(sk) : NULL;
	if (tcp)
		read_state(tcp, &flow->state);
	/* a listener stands for a connection that is being made: nothing of it is acknowledged */
	int found = sk->state == BPF_TCP_LISTEN ? GONE : THERE;
	bpf_sk_release(sk);
	return found;
}
