/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/* What the programs share with the daemon (internal/kernel). Multi-byte fields are in host order unless said otherwise. */
#pragma once
#include "address.h"

/* What a flow is registered for; bits. */
enum policy {
	POLICY_RAR = 1,
	POLICY_SPOOL = 2, /* connections are led into the helper's spool */
	POLICY_BBR = 4, /* uploads have BBR */
};

/* What can be registered. */
enum kind {
	PROCESS = 1, /* a thread group */
	CGROUP, /* with all below it */
	CONNECTION, /* that was there before, by its socket's cookie */
	REMOTE_PORT, /* that a user connects to */
	LOCAL_PORT, /* that a user serves */
};

#define ANY_USER 0xffffffffu

struct target {
	__u64 id;
	enum kind kind;
	__u32 user; /* of a port: whose; else 0 */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, struct target);
	__type(value, enum policy);
} targets SEC(".maps");

/* @returns 0: it is not registered */
static __always_inline __u32 policy_of(const struct target *target)
{
	__u32 *policy = bpf_map_lookup_elem(&targets, target);
	return policy ? *policy : 0;
}

/* One end of a user's connection. */
struct address {
	__u32 ip[4];
	__u32 port; /* host order */
	__u32 user; /* who connected */
};

/* Counted since the programs were loaded. */
struct counters {
	__u64 thin_lost; /* thin messages that found no room on the way to the daemon */
	__u64 retransmitted; /* segments that TCP itself sent again, of registered flows */
	__u64 redirected; /* connections led into the spool */
	__u64 uploads; /* connections that have changed over to BBR */
};

struct counters counters;

/* What is kept of a socket, with the socket. */
struct known {
	/* since it connected */
	struct target by; /* the registered process or cgroup that it belongs to */
	struct address meant; /* where it was to go that is led into the spool; no port: it is not */
	__u32 more_syns; /* first segments, before a connection that is not answered is given up, than its program or the system has chosen */
	/* found out when a packet left, so that most packets cost one look */
	__u32 policy; /* 0: not registered */
	__u32 at; /* the count of registrations then */
	__u32 sent; /* behind the last byte that has left */
	__u32 ifindex; /* where that was: below it (a lower device of a VLAN) the same packets come once more */
	__u16 local_port; /* of then: a socket may connect again */
	__u16 remote_port;
};

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct known);
} known_sockets SEC(".maps");
