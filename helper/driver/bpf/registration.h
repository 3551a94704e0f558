/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/* Which flows are acted on: those of sockets of registered processes and cgroups, and of registered ports. All others pass untouched. */
#pragma once
#include "counters.h"
#include "packet.h"

/* How often registrations have changed so far: what was found out before counts no more. The daemon counts. */
volatile __u32 registrations;

/* What was found out of a TCP socket, so that most packets cost one look. */
struct known {
	struct registration registration; /* no policy: not registered */
	__u32 at; /* the count of registrations then */
	__u32 ifindex; /* where it leaves; elsewhere (a lower device of a VLAN) the same packets are left alone */
	__u32 sent; /* behind the last byte that has left */
	__u16 local_port; /* of then: a socket may connect again */
	__u16 remote_port;
};

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct known);
} known_sockets SEC(".maps");

/* @returns what is known of a packet's socket, if it still holds */
static __always_inline struct known *known_of(struct bpf_sock *sk)
{
	struct known *known = bpf_sk_storage_get(&known_sockets, sk, NULL, 0);
	if (known && known->at == registrations && known->local_port == sk->src_port && known->remote_port == bpf_ntohs(sk->dst_port))
		return known;
	return NULL;
}

static __always_inline struct registration *of_port(__u32 user, __u16 side, __u16 port)
{
	struct port_rule key = { .user = user, .side = side, .port = port };
	return bpf_map_lookup_elem(&port_rules, &key);
}

/* @returns the registration of the flow that an outgoing packet belongs to, or NULL; the first of several counts */
static __always_inline struct registration *registered(struct __sk_buff *skb, const struct flow_key *key)
{
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

/* Finds out of a TCP socket what holds until registrations change. @returns NULL where there is no memory for it */
static __always_inline struct known *find_out(struct __sk_buff *skb, struct bpf_sock *sk, const struct packet *packet)
{
	__u32 at = registrations; /* before the look: what is registered meanwhile is looked for at the next packet */
	struct registration *registration = registered(skb, &packet->key);
	struct known *known = bpf_sk_storage_get(&known_sockets, sk, NULL, BPF_SK_STORAGE_GET_F_CREATE);
	if (!known)
		return NULL;
	*known = (struct known){
		.at = at, .ifindex = skb->ifindex, .sent = packet->sequence, .local_port = sk->src_port, .remote_port = bpf_ntohs(sk->dst_port),
	};
	if (registration) {
		known->registration = *registration;
		count(FLOWS_SEEN);
	}
	return known;
}
