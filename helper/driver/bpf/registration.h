/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/* Which flows are acted on: those of sockets of registered processes and cgroups, and of registered ports. All others pass untouched. */
#pragma once
#include "packet.h"

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
