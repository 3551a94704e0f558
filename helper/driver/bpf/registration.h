/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/* Which flows are acted on: those of sockets of registered processes and cgroups, and of registered ports. All others pass untouched. */
#pragma once
#include "flow.h"
#include "packet.h"

/* How often registrations have changed so far: what was found out before counts no more. The daemon counts. */
volatile __u32 registrations;

/* Whether what was found out of a packet's socket still holds. */
static __always_inline bool still_holds(const struct known *known, const struct bpf_sock *sk)
{
	return known && known->at == registrations && known->local_port == sk->src_port &&
		known->remote_port == bpf_ntohs(sk->dst_port);
}

static __always_inline __u32 policy_for(enum kind kind, __u64 id, __u32 user)
{
	struct target target = { .id = id, .kind = kind, .user = user };
	return policy_of(&target);
}

/* @returns what the flow is registered for that an outgoing packet belongs to; the first of several counts */
static __always_inline __u32 find_policy(struct __sk_buff *skb, const struct flow_key *key, const struct known *known)
{
	__u32 user = bpf_get_socket_uid(skb);
	__u32 policy = known ? policy_of(&known->by) : 0;
	if (!policy)
		policy = policy_for(CONNECTION, bpf_get_socket_cookie(skb), 0);
	if (!policy)
		policy = policy_for(REMOTE_PORT, key->remote_port, user);
	if (!policy)
		policy = policy_for(REMOTE_PORT, key->remote_port, ANY_USER);
	if (!policy)
		policy = policy_for(LOCAL_PORT, key->local_port, user);
	if (!policy)
		policy = policy_for(LOCAL_PORT, key->local_port, ANY_USER);
	return policy;
}

/* Finds out of a TCP socket what holds until registrations change. @returns NULL where there is no memory for it */
static __always_inline struct known *find_out(struct __sk_buff *skb, struct bpf_sock *sk, const struct packet *packet)
{
	struct known *known = bpf_sk_storage_get(&known_sockets, sk, NULL, BPF_SK_STORAGE_GET_F_CREATE);
	if (!known)
		return NULL;
	known->at = registrations; /* before the look: what is registered meanwhile is looked for at the next packet */
	known->policy = find_policy(skb, &packet->key, known);
	known->sent = packet->sequence;
	known->local_port = sk->src_port;
	known->remote_port = bpf_ntohs(sk->dst_port);
	return known;
}
