/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/* What the programs share with the daemon (internal/kernel). Multi-byte fields are in host order unless said otherwise. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

/* What a flow is registered for; bits of a policy. */
#define POLICY_RAR (1u << 0)
#define POLICY_SPOOL (1u << 1) /* connections are led into the helper's spool */

#define AF_INET 2

/* An address is four words in network order, IPv4 as ::ffff:a.b.c.d. */
static __always_inline void set_ip4(__u32 to[4], __u32 address)
{
	to[0] = to[1] = 0;
	to[2] = bpf_htonl(0xffff);
	to[3] = address;
}

/* The kernel lets a context be read by words only; the compiler would read two at once. */
static __always_inline void set_ip6(__u32 to[4], const volatile __u32 *address)
{
	to[0] = address[0];
	to[1] = address[1];
	to[2] = address[2];
	to[3] = address[3];
}

/* One end-to-end flow, seen from this host. */
struct flow_key {
	__u32 local[4];
	__u32 remote[4];
	__u16 local_port;
	__u16 remote_port;
	__u16 transaction; /* DNS: the message's id; else 0 */
	__u8 protocol;
	__u8 unused;
};

/* Why flows are acted on, and for what. */
struct registration {
	__u32 policy;
	__u32 id; /* with its end all is forgotten that came of it */
};

/* Ports that a user has registered; of a user, or of all. */
#define REMOTE_PORT 1
#define LOCAL_PORT 2
#define ANY_USER 0xffffffffu

struct port_rule {
	__u32 user;
	__u16 side;
	__u16 port;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, struct port_rule);
	__type(value, struct registration);
} port_rules SEC(".maps");

/* Sockets of registered processes and cgroups, by cookie; filled where they connect (socket.bpf.c). */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, __u64);
	__type(value, struct registration);
} sockets SEC(".maps");
