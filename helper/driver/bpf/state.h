/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/* TCP's own state of a connection: what was acknowledged, how long that took, what the peer got twice. */
#pragma once
#include "packet.h"

struct tcp_state {
	__u32 acknowledged; /* snd_una */
	__u32 rtt_eighths_us; /* smoothed, in eighths of a microsecond as the kernel keeps it; 0: not known yet */
	__u32 least_rtt_us; /* of the last five minutes (net.ipv4.tcp_min_rtt_wlen) */
	__u32 duplicates; /* DSACK, RFC 2883: what the peer got twice */
};

static __always_inline void read_state(const struct bpf_tcp_sock *tcp, struct tcp_state *to)
{
	to->acknowledged = tcp->snd_una;
	to->rtt_eighths_us = tcp->srtt_us;
	to->least_rtt_us = tcp->rtt_min;
	to->duplicates = tcp->dsack_dups;
}

/* What the daemon asks by running look_up on it as on a packet. */
struct flow {
	struct flow_key key;
	struct tcp_state state;
};

const struct flow *asked __attribute__((unused)); /* so that the daemon's type is made of it */

#define GONE 0
#define THERE 1

/* In place, as the daemon reads it from what it has asked with. */
static __always_inline int answer(struct __sk_buff *skb)
{
	struct flow *flow = (void *)(long)skb->data;
	if ((void *)(flow + 1) > (void *)(long)skb->data_end)
		return GONE;
	struct flow_key *key = &flow->key;
	struct bpf_sock_tuple tuple = {};
	__u32 bytes = sizeof(tuple.ipv6);
	/* as of a packet that comes from the peer */
	if (is_ip4(key->remote)) {
		bytes = sizeof(tuple.ipv4);
		tuple.ipv4.saddr = key->remote[3];
		tuple.ipv4.daddr = key->local[3];
		tuple.ipv4.sport = bpf_htons(key->remote_port);
		tuple.ipv4.dport = bpf_htons(key->local_port);
	} else {
		__builtin_memcpy(tuple.ipv6.saddr, key->remote, sizeof(key->remote));
		__builtin_memcpy(tuple.ipv6.daddr, key->local, sizeof(key->local));
		tuple.ipv6.sport = bpf_htons(key->remote_port);
		tuple.ipv6.dport = bpf_htons(key->local_port);
	}
	bool is_tcp = key->protocol == IPPROTO_TCP;
	struct bpf_sock *sk = is_tcp ? bpf_sk_lookup_tcp(skb, &tuple, bytes, BPF_F_CURRENT_NETNS, 0) : bpf_sk_lookup_udp(skb, &tuple, bytes, BPF_F_CURRENT_NETNS, 0);
	if (!sk)
		return GONE;
	struct bpf_tcp_sock *tcp = is_tcp ? bpf_tcp_sock(sk) : NULL;
	if (tcp)
		read_state(tcp, &flow->state);
	/* a listener stands for a connection that is being made: nothing of it is acknowledged */
	int found = sk->state == BPF_TCP_LISTEN ? GONE : THERE;
	bpf_sk_release(sk);
	return found;
}
