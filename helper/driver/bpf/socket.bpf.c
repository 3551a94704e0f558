// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/* What the driver does with sockets: on the cgroups of what was registered, and nowhere else. */
#include <linux/in.h>
#include <linux/tcp.h>
#include "counters.h"
#include "flow.h"

#define PROCEED 1
#define NS_PER_SECOND 1000000000ull

/* One end of a user's connection. */
struct address {
	__u32 ip[4];
	__u32 port; /* host order */
	__u32 user; /* who connected */
};

/* Registered processes, by thread group. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, __u64);
	__type(value, struct registration);
} processes SEC(".maps");

/* Cgroups of which every process is registered. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 256);
	__type(key, __u64);
	__type(value, struct registration);
} cgroups SEC(".maps");

/* Where a redirected connection was meant to go, by its socket's cookie, then by its end on this host: how the spool asks. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, __u64);
	__type(value, struct address);
} meant SEC(".maps");

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
	__u64 jiffies;
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

static __always_inline struct registration *of_caller(void)
{
	__u64 process = calling_process();
	struct registration *found = bpf_map_lookup_elem(&processes, &process);
	for (int level = 1; !found && level <= MAX_CGROUP_LEVEL; level++) {
		__u64 cgroup = bpf_get_current_ancestor_cgroup_id(level); /* 0: none, and none is registered so */
		found = bpf_map_lookup_elem(&cgroups, &cgroup);
	}
	return found;
}

/* On this host; 0.0.0.0 is, too. */
static __always_inline bool is_near4(__u32 ip)
{
	return !ip || (bpf_ntohl(ip) >> 24) == 127;
}

/* On this host (:: and ::1), or link-local (fe80::/10): the interface, which belongs to such an address, would be lost on the way through the spool. */
static __always_inline bool is_near6(const __u32 ip[4])
{
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

/* @returns the caller's spool; none: the connection goes where it was meant to */
static __always_inline struct spool *spool_for_caller(struct bpf_sock_addr *ctx, const struct registration *registration)
{
	__u64 user = (__u32)bpf_get_current_uid_gid();
	struct spool *spool = bpf_map_lookup_elem(&spools, &user);
	struct bpf_sock *socket = ctx->sk;
	if (ctx->protocol != IPPROTO_TCP || !(registration->policy & POLICY_SPOOL) || !spool || spool->process == calling_process())
		return NULL;
	if (!socket || chooses_its_network(socket))
		return NULL;
	return bpf_get_netns_cookie(ctx) == network_cookie ? spool : NULL; /* in a container loopback is another */
}

static __always_inline void remember(struct bpf_sock_addr *ctx, __u64 cookie, const __u32 ip[4])
{
	struct address to = { .ip = { ip[0], ip[1], ip[2], ip[3] }, .port = bpf_ntohs(ctx->user_port), .user = bpf_get_current_uid_gid() };
	bpf_map_update_elem(&meant, &cookie, &to, BPF_ANY);
	count(REDIRECTED);
}

SEC("cgroup/connect4") int connect4(struct bpf_sock_addr *ctx)
{
	struct registration *registration = of_caller();
	if (!registration || (ctx->protocol != IPPROTO_TCP && ctx->protocol != IPPROTO_UDP))
		return PROCEED;
	__u64 cookie = bpf_get_socket_cookie(ctx);
	bpf_map_update_elem(&sockets, &cookie, registration, BPF_ANY);
	struct spool *spool = spool_for_caller(ctx, registration);
	if (spool && !is_near4(ctx->user_ip4)) {
		__u32 ip[4];
		set_ip4(ip, ctx->user_ip4);
		remember(ctx, cookie, ip);
		ctx->user_ip4 = bpf_htonl(INADDR_LOOPBACK);
		ctx->user_port = bpf_htons(spool->port);
	}
	return PROCEED;
}

SEC("cgroup/connect6") int connect6(struct bpf_sock_addr *ctx)
{
	struct registration *registration = of_caller();
	if (!registration || (ctx->protocol != IPPROTO_TCP && ctx->protocol != IPPROTO_UDP))
		return PROCEED;
	__u64 cookie = bpf_get_socket_cookie(ctx);
	bpf_map_update_elem(&sockets, &cookie, registration, BPF_ANY);
	__u32 ip[4];
	set_ip6(ip, ctx->user_ip6);
	__u32 ip4 = ip[3];
	bool is_mapped = !ip[0] && !ip[1] && ip[2] == bpf_htonl(0xffff);
	struct spool *spool = spool_for_caller(ctx, registration);
	if (!spool)
		return PROCEED;
	__u16 port = bpf_htons(spool->port), port6 = bpf_htons(spool->port6);
	if (is_mapped ? is_near4(ip4) : !port6 || is_near6(ip))
		return PROCEED;
	remember(ctx, cookie, ip);
	if (!is_mapped) { /* the socket may be one for IPv6 only, which could not reach 127.0.0.1 */
		ctx->user_ip6[0] = 0;
		ctx->user_ip6[1] = 0;
		ctx->user_ip6[2] = 0;
	}
	ctx->user_ip6[3] = is_mapped ? bpf_htonl(INADDR_LOOPBACK) : bpf_htonl(1);
	ctx->user_port = is_mapped ? port : port6;
	return PROCEED;
}

/* Whoever asks with whom it speaks is told whom it meant. */
SEC("cgroup/getpeername4") int peer4(struct bpf_sock_addr *ctx)
{
	__u64 cookie = bpf_get_socket_cookie(ctx);
	struct address *to = bpf_map_lookup_elem(&meant, &cookie);
	if (to) {
		ctx->user_ip4 = to->ip[3];
		ctx->user_port = bpf_htons(to->port);
	}
	return PROCEED;
}

SEC("cgroup/getpeername6") int peer6(struct bpf_sock_addr *ctx)
{
	__u64 cookie = bpf_get_socket_cookie(ctx);
	struct address *to = bpf_map_lookup_elem(&meant, &cookie);
	if (to) {
		for (int i = 0; i < 4; i++)
			*(volatile __u32 *)(ctx->user_ip6 + i) = to->ip[i];
		ctx->user_port = bpf_htons(to->port);
	}
	return PROCEED;
}

/* A flow with little on the way does not wait twice as long after each time-out, for six of them (Documentation/networking/ip-sysctl, tcp_thin_linear_timeouts). */
static __always_inline void keep_timeouts_linear(struct bpf_sock_ops *ctx)
{
	int on = 1;
	bpf_setsockopt(ctx, IPPROTO_TCP, TCP_THIN_LINEAR_TIMEOUTS, &on, sizeof(on));
}

static __always_inline void local_ip(struct bpf_sock_ops *ctx, __u32 ip[4])
{
	if (ctx->family == AF_INET)
		set_ip4(ip, ctx->local_ip4);
	else
		set_ip6(ip, ctx->local_ip6);
}

static __always_inline int syn_timeout(struct bpf_sock_ops *ctx)
{
	struct ends ends = {};
	local_ip(ctx, ends.local);
	if (ctx->family == AF_INET)
		set_ip4(ends.remote, ctx->remote_ip4);
	else
		set_ip6(ends.remote, ctx->remote_ip6);
	struct syn_timeout *timeout = bpf_map_lookup_elem(&syn_timeouts, &ends);
	if (!timeout || bpf_ktime_get_ns() - timeout->set_ns > SYN_TIMEOUT_NS)
		return -1; /* TCP's own */
	return timeout->jiffies;
}

/* The spool asks by the address that it sees: a socket of IPv6 that speaks IPv4 has its own as ::ffff:a.b.c.d, which is how all are kept. */
static __always_inline void remember_end(struct bpf_sock_ops *ctx, const struct address *to)
{
	struct address from = { .port = ctx->local_port, .user = to->user };
	local_ip(ctx, from.ip);
	bpf_map_update_elem(&meant_by_end, &from, to, BPF_ANY);
}

SEC("sockops") int socket_events(struct bpf_sock_ops *ctx)
{
	__u64 cookie = bpf_get_socket_cookie(ctx);
	struct registration *registration = bpf_map_lookup_elem(&sockets, &cookie);
	if (!registration)
		return PROCEED;
	switch (ctx->op) {
	case BPF_SOCK_OPS_TIMEOUT_INIT:
		if (registration->policy & POLICY_RAR)
			ctx->reply = syn_timeout(ctx);
		break;
	case BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB: {
		if (registration->policy & POLICY_RAR)
			keep_timeouts_linear(ctx);
		struct address *to = bpf_map_lookup_elem(&meant, &cookie);
		if (to)
			remember_end(ctx, to);
		break;
	}
	}
	return PROCEED;
}

/* Run by the daemon, to learn how many jiffies a second has: the kernel tells nobody else. */
SEC("tc") int read_jiffies(struct __sk_buff *skb) { return (__u32)bpf_jiffies64() & 0x7fffffff; }

char _license[] SEC("license") = "Dual MIT/GPL";
