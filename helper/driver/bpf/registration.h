/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/* Which flows are acted on: those of sockets of registered processes and cgroups, and of registered ports. All others pass untouched. */
#pragma once
#include "packet.h"

/* How often something was registered so far; what was found out before that does not count any more. The daemon counts. */
volatile __u32 registrations;

/* That a TCP socket was found not to be registered: packets of all others on the host are to cost one look. */
struct unregistered {
	__u32 at; /* the count of then */
	__u16 local_port; /* of then: a socket may connect again */
	__u16 remote_port;
};

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct unregistered);
} unregistered SEC(".maps");

static __always_inline bool is_known_unregistered(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;
	if (!sk)
		return false;
	struct unregistered *known = bpf_sk_storage_get(&unregistered, sk, NULL, 0);
	return known && known->at == registrations && known->local_port == sk->src_port && known->remote_port == bpf_ntohs(sk->dst_port);
}

/* @param at the count when it was begun to find out: what has been registered since is looked for at the next packet */
static __always_inline void remember_unregistered(struct __sk_buff *skb, __u32 at)
{
	struct bpf_sock *sk = skb->sk;
	if (!sk)
		return;
	sk = bpf_sk_fullsock(sk);
	if (!sk || sk->protocol != IPPROTO_TCP)
		return;
	struct unregistered *known = bpf_sk_storage_get(&unregistered, sk, NULL, BPF_SK_STORAGE_GET_F_CREATE);
	if (!known)
		return;
	known->at = at;
	known->local_port = sk->src_port;
	known->remote_port = bpf_ntohs(sk->dst_port);
}

static __always_inline struct registration *of_port(__u32 user, __u16 side, __u16 port)
{
	struct port_rule key = { .user = user, .side = side, .port = port };
	return bpf_map_lookup_elem(&port_rules, &key);
}

/* @returns the registration of the flow that an outgoing packet belongs to, or NULL; the first of several counts */
static __always_inline struct registration *registered(struct __sk_buff *skb, const struct flow_key *key)
{
	if (!skb->sk) /* forwarded: of no process of this host */
		return NULL;
	__u64 cookie = bpf_get_socket_cookie(skb);
	__u32 user = bpf_get_socket_uid(skb);
	struct registration *found = bpf_map_lookup_elem(&sockets, &cookie);
	if (!found)
		found = of_port(user, REMOTE_PORT, key->remote_port);
	if (!found)
		found = of_port(ANY_USER, REMOTE_PORT, key->remote_port);
	if (!found)
		found = of_port(user, LOCAL_PORT, key->local_port);
	if (!found)
		found = of_port(ANY_USER, LOCAL_PORT, key->local_port);
	return found;
}
