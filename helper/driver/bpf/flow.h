/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/* What the programs know of flows and share with the daemon (internal/kernel). Multi-byte fields are in host order unless said otherwise. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

/* What a flow is registered for; bits of a policy. */
#define POLICY_RAR (1u << 0)
#define POLICY_AM (1u << 1)

/*
 * An address is two times eight bytes, IPv4 as ::ffff:a.b.c.d, and is written so. What the verifier knows the bounds of it takes for a register that is put
 * aside on the stack, and without CAP_PERFMON kernels before 6.8 refuse that a part of it be written anew.
 */
static __always_inline __u64 joined(__u32 first, __u32 second)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return (__u64)second << 32 | first;
#else
	return (__u64)first << 32 | second;
#endif
}

static __always_inline void set_ip4(__u64 to[2], __u32 address)
{
	to[0] = 0;
	to[1] = joined(bpf_htonl(0xffff), address);
}

/* The kernel lets a context be read by words only; the compiler would read two at once. */
static __always_inline void set_ip6(__u64 to[2], const volatile __u32 *address)
{
	to[0] = joined(address[0], address[1]);
	to[1] = joined(address[2], address[3]);
}

/* One end-to-end flow, seen from this host: the same for both directions. */
struct flow_key {
	__u64 local[2];
	__u64 remote[2];
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

struct flow {
	struct registration registration;
	__u32 ifindex; /* where it was first seen to leave; elsewhere (a lower device of a VLAN) the same packets are left alone */
	__u32 sent; /* behind the last byte that was sent */
	__u32 acknowledged; /* what the peer has said to have: all before it */
	__u32 acknowledgement; /* what this host has said to have, in the last segment */
	__u32 timed; /* its acknowledgement ends the round trip that began at timed_ns */
	__u32 timed_bytes; /* on the way with it when it was sent */
	__u64 timed_ns; /* CLOCK_MONOTONIC; 0: nothing is timed */
	__u64 again_ns; /* when the driver sent what is timed once more; 0: it did not */
	__u32 timed_value; /* of a segment that TCP sent again: its timestamp, by which its acknowledgement is known (RFC 7323 section 4); else 0 */
	__u32 rtt_us; /* smoothed, RFC 6298 section 2; 0: not known yet */
	__u32 rtt_variation_us;
	__u32 min_rtt_us;
	__u32 last_rtt_us; /* the last round trip that was measured */
	__u32 last_rtt_bytes; /* that were on the way */
	__u32 round_trips; /* measured so far */
	__u32 duplicates; /* DSACK, RFC 2883: what the peer got twice */
	__u64 unused[2]; /* with its key and what the kernel adds (48 bytes) three cache lines: what packets need lies in one */
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, struct flow_key);
	__type(value, struct flow);
} flows SEC(".maps");

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
