// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/* What the driver does with sockets: on the cgroups of what was registered, and nowhere else. */
#include <linux/in.h>
#include <linux/tcp.h>
#include "counters.h"
#include "flow.h"

#define SOL_SOCKET 1
#define SO_RCVBUF 8
#define PROCEED 1

#define POLICY_IB (1u << 2) /* the receive buffer as large as the system allows */
#define POLICY_SPOOL (1u << 3) /* connections are led into the helper's spool */

/* One end of a user's connection. */
struct address {
	__u64 ip[2];
	union {
		__u64 port_and_user; /* written as joined(port, user) */
		struct {
			__u32 port; /* host order */
			__u32 user; /* who connected */
		};
	};
};

/* Registered processes, by thread group; keys on the stack are of 8 bytes (joined in flow.h says why). */
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

/* Round trips to servers, as a time-out of the first segment in jiffies. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, __u64[2]); /* address */
	__type(value, __u32);
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

/* Set before the program is loaded. Smaller than what TCP's own tuning reaches it would do harm: then 0, and the buffer is left to TCP. */
volatile const __u32 receive_buffer_bytes;

/* The driver's own namespaces: set before the program is loaded. It knows processes by their numbers there; inode 0: that of the machine, where the plain number counts. */
volatile const __u64 process_namespace_device, process_namespace_inode;
volatile const __u64 network_cookie;

/* @returns the caller's number where the driver is; 0: it has none there */
static __always_inline __u32 calling_process(void)
{
	union {
		__u64 whole; /* written as such: kernel 6.1 refuses a part of what held a pointer before */
		struct bpf_pidns_info numbers;
	} there = { .whole = 0 };
	if (!process_namespace_inode)
		return bpf_get_current_pid_tgid() >> 32;
	if (bpf_get_ns_current_pid_tgid(process_namespace_device, process_namespace_inode, &there.numbers, sizeof(there.numbers)))
		return 0;
	return there.numbers.tgid;
}

/* systemd nests about so deep: user.slice/user-N.slice/user@N.service/app.slice/app.scope. */
#define MAX_CGROUP_LEVEL 8

static __always_inline struct registration *of_caller(void)
{
	__u64 process = calling_process();
	struct registration *found = bpf_map_lookup_elem(&processes, &process);
#pragma unroll /* see reports_duplicate in track.h */
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
static __always_inline bool is_near6(const __u64 ip[2])
{
	__u64 high = bpf_be64_to_cpu(ip[0]), low = bpf_be64_to_cpu(ip[1]);
	return (!high && low <= 1) || high >> 54 == 0xfe80 >> 6;
}

/* @returns the caller's spool; none: the connection goes where it was meant to */
static __always_inline struct spool *spool_for_caller(struct bpf_sock_addr *ctx, const struct registration *registration)
{
	__u64 user = (__u32)bpf_get_current_uid_gid();
	struct spool *spool = bpf_map_lookup_elem(&spools, &user);
	struct bpf_sock *socket = ctx->sk;
	bool is_bound = socket && socket->bound_dev_if; /* to an interface: it could not reach loopback */
	bool is_elsewhere = bpf_get_netns_cookie(ctx) != network_cookie; /* in a container: its loopback is another */
	if (ctx->protocol != IPPROTO_TCP || is_bound || is_elsewhere || !(registration->policy & POLICY_SPOOL) || !spool || spool->process == calling_process())
		return NULL;
	return spool;
}

static __always_inline void remember(struct bpf_sock_addr *ctx, __u64 cookie, const __u64 ip[2])
{
	struct address to = { .ip = { ip[0], ip[1] }, .port_and_user = joined(bpf_ntohs(ctx->user_port), bpf_get_current_uid_gid()) };
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
		__u64 ip[2];
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
	__u64 ip[2], mapped[2];
	set_ip6(ip, ctx->user_ip6);
	__u32 ip4 = ctx->user_ip6[3];
	set_ip4(mapped, ip4);
	bool is_mapped = ip[0] == mapped[0] && ip[1] == mapped[1];
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
		ctx->user_ip4 = ((__u32 *)to->ip)[3];
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
			*(volatile __u32 *)(ctx->user_ip6 + i) = ((__u32 *)to->ip)[i];
		ctx->user_port = bpf_htons(to->port);
	}
	return PROCEED;
}

static __always_inline void enlarge_buffer(struct bpf_sock_ops *ctx)
{
	int bytes = receive_buffer_bytes;
	if (!bytes)
		return;
	bpf_setsockopt(ctx, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	bpf_setsockopt(ctx, IPPROTO_TCP, TCP_WINDOW_CLAMP, &bytes, sizeof(bytes));
}

/* A flow with little on the way does not wait twice as long after each time-out, for six of them (Documentation/networking/ip-sysctl, tcp_thin_linear_timeouts). */
static __always_inline void keep_timeouts_linear(struct bpf_sock_ops *ctx)
{
	int on = 1;
	bpf_setsockopt(ctx, IPPROTO_TCP, TCP_THIN_LINEAR_TIMEOUTS, &on, sizeof(on));
}

static __always_inline int syn_timeout(struct bpf_sock_ops *ctx)
{
	__u64 to[2];
	if (ctx->family == 2 /* AF_INET */)
		set_ip4(to, ctx->remote_ip4);
	else
		set_ip6(to, ctx->remote_ip6);
	__u32 *jiffies = bpf_map_lookup_elem(&syn_timeouts, to);
	return jiffies ? *jiffies : -1; /* TCP's own */
}

/* The spool asks by the address that it sees: a socket of IPv6 that speaks IPv4 has its own as ::ffff:a.b.c.d, which is how all are kept. */
static __always_inline void remember_end(struct bpf_sock_ops *ctx, const struct address *to)
{
	__u64 ip[2];
	if (ctx->family == 2 /* AF_INET */)
		set_ip4(ip, ctx->local_ip4);
	else
		set_ip6(ip, ctx->local_ip6);
	struct address from = { .ip = { ip[0], ip[1] }, .port_and_user = joined(ctx->local_port, to->user) };
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
	case BPF_SOCK_OPS_TCP_CONNECT_CB: /* before the first segment, which tells the window's scale */
		if (registration->policy & POLICY_IB)
			enlarge_buffer(ctx);
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
