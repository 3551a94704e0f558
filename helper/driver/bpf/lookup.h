/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/* The socket of a flow. */
#pragma once
#include "packet.h"

/* What the daemon is answered that asks for it, by running a program. */
#define GONE 0
#define THERE 1

/* @returns NULL: there is none; else it must be released. A listener stands for a connection that is being made. */
static __always_inline struct bpf_sock *look_up_socket(struct __sk_buff *skb, const struct flow_key *key)
{
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
	return key->protocol == IPPROTO_TCP ? bpf_sk_lookup_tcp(skb, &tuple, bytes, BPF_F_CURRENT_NETNS, 0) : bpf_sk_lookup_udp(skb, &tuple, bytes, BPF_F_CURRENT_NETNS, 0);
}
