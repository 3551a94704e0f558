/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/* What the driver does with sockets: on the cgroups of what was registered, and nowhere else. */
#pragma once
#include "uploads.h"

#define PROCEED 1
#define NS_PER_SECOND 1000000000ull

/* Where connections were meant to go that are in the spool, by their end on this host: how the spool asks. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, struct address); /* a port alone may be that of a connection over IPv4 and of one over IPv6 */
	__type(value, struct address);
} meant_by_end SEC(".maps");

/* By this host's address, too: another one is another network, with other round trips. */
struct ends {
	__u32 local[4];
	__u32 remote[4];
};

/* Time-out of the first segment. */
struct syn_timeout {
	__u64 set_ns; /* CLOCK_MONOTONIC */
	__u32 jiffies;
	__u32 halvings; /* of the kernel's own, until it is no longer than this */
};

/* As long as the kernel takes a least round trip to hold (net.ipv4.tcp_min_rtt_wlen). */
#define SYN_TIMEOUT_NS (300 * NS_PER_SECOND)

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, struct ends);
	__type(value, struct syn_timeout);
} syn_timeouts SEC(".maps");

/* Where a user's spool listens on loopback, and which process it is: that is never led into itself. */
struct spool {
	__u32 process;
	__u16 port; /* on 127.0.0.1 */
	__u16 port6; /* on ::1; 0: not there, and connections to IPv6 go by themselves */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 256);
	__type(key, __u64); /* user */
	__type(value, struct spool);
} spools SEC(".maps");

/* The driver's own network namespace: set before the program is loaded. */
volatile const __u64 network_cookie;

static __always_inline __u32 calling_process(void)
{
	return bpf_get_current_pid_tgid() >> 32;
}

/* systemd nests about so deep: user.slice/user-N.slice/user@N.service/app.slice/app.scope. */
#define MAX_CGROUP_LEVEL 8

/* @param target that the calling process is registered by: itself, or a cgroup that it is in. @returns for what; 0: it is not */
static __always_inline __u32 policy_of_caller(struct target *target)
{
	*target = (struct target){ .id = calling_process(), .kind = PROCESS };
	__u32 policy = policy_of(target);
	for (int level = 1; !policy && level <= MAX_CGROUP_LEVEL; level++) {
		/* 0: none, and none is registered so */
		*target = (struct target){ .id = bpf_get_current_ancestor_cgroup_id(level), .kind = CGROUP };
		policy = policy_of(target);
	}
	return policy;
}

/* On this host (0.0.0.0, 127.0.0.0/8, :: and ::1), or link-local (fe80::/10): the interface, which belongs to such an address, would be lost on the way through the spool. */
static __always_inline bool is_near(const __u32 ip[4])
{
	if (is_ip4(ip))
		return !ip[3] || (bpf_ntohl(ip[3]) >> 24) == 127;
	return (!ip[0] && !ip[1] && !ip[2] && bpf_ntohl(ip[3]) <= 1) || bpf_ntohl(ip[0]) >> 22 == 0xfe80 >> 6;
}

/*
 * To an interface, from an address or with a mark: programs say so which network they mean (a VPN's, or the one beside it), and what the helper sends from
 * the spool would go by another.
 */
static __always_inline bool chooses_its_network(const struct bpf_sock *socket)
{
	return socket->bound_dev_if || socket->mark || socket->src_ip4 || socket->src_ip6[0] || socket->src_ip6[1] || socket->src_ip6[2] || socket->src_ip6[3];
}

/* Whether the kernel tells its types; where it does not, nobody has a spool. Set before the program is loaded. */
volatile const bool knows_types;

/* What is read of these (CO-RE). */
struct identifier {
	__u32 val;
} __attribute__((preserve_access_index));

struct cred {
	struct identifier uid, gid, euid, egid;
} __attribute__((preserve_access_index));

struct task_struct {
	const struct cred *cred;
} __attribute__((preserve_access_index));

/* Of another user or group than who has started it (set-user-ID): what it says is not for that one's helper. */
static __always_inline bool has_rights_of_others(void)
{
	if (!knows_types)
		return true;
	const struct cred *cred = bpf_get_current_task_btf()->cred;
	/* never NULL; the verifier wants the check where the kernel's types mark the pointer as RCU's (kernels that clang has built) */
	return !cred || cred->uid.val != cred->euid.val || cred->gid.val != cred->egid.val;
}

/* Notes by what a socket is registered, and where it was to go that is led into the caller's spool. @returns that; NULL: it goes where it was meant to */
static __always_inline struct spool *connecting(struct bpf_sock_addr *ctx, const __u32 ip[4])
{
	struct target target;
	__u32 policy = policy_of_caller(&target);
	if (!policy || (ctx->protocol != IPPROTO_TCP && ctx->protocol != IPPROTO_UDP))
		return NULL;
	struct bpf_sock *socket = ctx->sk;
	struct known *known = bpf_sk_storage_get(&known_sockets, socket, NULL, BPF_SK_STORAGE_GET_F_CREATE);
	if (!known)
		return NULL;
	__u64 user = (__u32)bpf_get_current_uid_gid();
	struct spool *spool = bpf_map_lookup_elem(&spools, &user);
	__u16 port = bpf_ntohs(ctx->user_port);
	/* led there by this program on a cgroup below */
	if (known->meant.port && spool && is_near(ip) && port == (is_ip4(ip) ? spool->port : spool->port6))
		return NULL;
	*known = (struct known){ .by = target, .more_syns = known->more_syns };
	if (ctx->protocol != IPPROTO_TCP || !(policy & POLICY_SPOOL) || !spool || spool->process == calling_process())
		return NULL;
	if (is_near(ip) || chooses_its_network(socket) || (!is_ip4(ip) && !spool->port6) || has_rights_of_others())
		return NULL;
	if (bpf_get_netns_cookie(ctx) != network_cookie) /* in a container loopback is another */
		return NULL;
	set_ip6(known->meant.ip, ip);
	known->meant.port = port;
	known->meant.user = user;
	__sync_fetch_and_add(&counters.redirected, 1);
	return spool;
}

SEC("cgroup/connect4") int connect4(struct bpf_sock_addr *ctx)
{
	__u32 ip[4];
	set_ip4(ip, ctx->user_ip4);
	struct spool *spool = connecting(ctx, ip);
	if (spool) {
		ctx->user_ip4 = bpf_htonl(INADDR_LOOPBACK);
		ctx->user_port = bpf_htons(spool->port);
	}
	return PROCEED;
}

SEC("cgroup/connect6") int connect6(struct bpf_sock_addr *ctx)
{
	__u32 ip[4];
	set_ip6(ip, ctx->user_ip6);
	struct spool *spool = connecting(ctx, ip);
	if (spool && is_ip4(ip)) {
		ctx->user_ip6[3] = bpf_htonl(INADDR_LOOPBACK);
		ctx->user_port = bpf_htons(spool->port);
	} else if (spool) { /* the socket may be one for IPv6 only, which could not reach 127.0.0.1 */
		ctx->user_ip6[0] = 0;
		ctx->user_ip6[1] = 0;
		ctx->user_ip6[2] = 0;
		ctx->user_ip6[3] = bpf_htonl(1);
		ctx->user_port = bpf_htons(spool->port6);
	}
	return PROCEED;
}

/* Whoever asks with whom it speaks is told whom it meant. */
SEC("cgroup/getpeername4") int peer4(struct bpf_sock_addr *ctx)
{
	struct known *known = bpf_sk_storage_get(&known_sockets, ctx->sk, NULL, 0);
	if (known && known->meant.port) {
		ctx->user_ip4 = known->meant.ip[3];
		ctx->user_port = bpf_htons(known->meant.port);
	}
	return PROCEED;
}

SEC("cgroup/getpeername6") int peer6(struct bpf_sock_addr *ctx)
{
	struct known *known = bpf_sk_storage_get(&known_sockets, ctx->sk, NULL, 0);
	if (known && known->meant.port) {
		for (int i = 0; i < 4; i++)
			*(volatile __u32 *)(ctx->user_ip6 + i) = known->meant.ip[i];
		ctx->user_port = bpf_htons(known->meant.port);
	}
	return PROCEED;
}

/* A flow with little on the way does not wait twice as long after each time-out, for six of them (Documentation/networking/ip-sysctl, tcp_thin_linear_timeouts). */
static __always_inline void keep_timeouts_linear(struct bpf_sock_ops *ctx)
{
	int on = 1;
	bpf_setsockopt(ctx, IPPROTO_TCP, TCP_THIN_LINEAR_TIMEOUTS, &on, sizeof(on));
}

static __always_inline struct ends ends_of(struct bpf_sock_ops *ctx)
{
	struct ends ends;
	if (ctx->family == AF_INET) {
		set_ip4(ends.local, ctx->local_ip4);
		set_ip4(ends.remote, ctx->remote_ip4);
	} else {
		set_ip6(ends.local, ctx->local_ip6);
		set_ip6(ends.remote, ctx->remote_ip6);
	}
	return ends;
}

/* @returns NULL: TCP's own holds, or what another program says */
static __always_inline struct syn_timeout *find_syn_timeout(struct bpf_sock_ops *ctx)
{
	struct ends ends = ends_of(ctx);
	struct syn_timeout *timeout = bpf_map_lookup_elem(&syn_timeouts, &ends);
	return timeout && bpf_ktime_get_ns() - timeout->set_ns <= SYN_TIMEOUT_NS ? timeout : NULL;
}

/*
 * TCP gives up after a number of first segments, each of which waits twice as long as the one before (tcp_syn_retries, TCP_SYNCNT): with a shorter time-out that
 * would be sooner. So there is one more for each time that the time-out was halved.
 */
static __always_inline void set_more_syns(struct bpf_sock_ops *ctx, struct known *known, __u32 more)
{
	int count = 0;
	if (more == known->more_syns || bpf_getsockopt(ctx, IPPROTO_TCP, TCP_SYNCNT, &count, sizeof(count)))
		return;
	count += more - known->more_syns;
	if (!bpf_setsockopt(ctx, IPPROTO_TCP, TCP_SYNCNT, &count, sizeof(count)))
		known->more_syns = more;
}

static __always_inline void connecting_tcp(struct bpf_sock_ops *ctx, struct known *known)
{
	struct syn_timeout *timeout = find_syn_timeout(ctx);
	if (ctx->op == BPF_SOCK_OPS_TCP_CONNECT_CB)
		set_more_syns(ctx, known, timeout ? timeout->halvings : 0);
	else if (timeout)
		ctx->reply = timeout->jiffies;
}

/* The spool asks by the address that it sees: a socket of IPv6 that speaks IPv4 has its own as ::ffff:a.b.c.d, which is how all are kept. */
static __always_inline void remember_end(struct bpf_sock_ops *ctx, const struct address *to)
{
	struct ends ends = ends_of(ctx);
	struct address from = { .port = ctx->local_port, .user = to->user };
	set_ip6(from.ip, ends.local);
	bpf_map_update_elem(&meant_by_end, &from, to, BPF_ANY);
}

SEC("sockops") int socket_events(struct bpf_sock_ops *ctx)
{
	struct bpf_sock *sk = ctx->sk;
	struct known *known = sk ? bpf_sk_storage_get(&known_sockets, sk, NULL, 0) : NULL;
	if (!known)
		return PROCEED;
	__u32 policy = policy_of(&known->by);
	if (policy & POLICY_RAR && (ctx->op == BPF_SOCK_OPS_TCP_CONNECT_CB || ctx->op == BPF_SOCK_OPS_TIMEOUT_INIT))
		connecting_tcp(ctx, known);
	if (ctx->op == BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB) {
		if (policy & POLICY_RAR)
			keep_timeouts_linear(ctx);
		/* not to the spool; and the daemon can give back what they had only to those of its own network namespace */
		if (policy & POLICY_BBR && !known->meant.port && bpf_get_netns_cookie(ctx) == network_cookie)
			watch_upload(ctx, sk);
		if (known->meant.port)
			remember_end(ctx, &known->meant);
	}
	if (ctx->op == BPF_SOCK_OPS_RTT_CB && policy & POLICY_BBR)
		follow_upload(ctx, sk);
	return PROCEED;
}
