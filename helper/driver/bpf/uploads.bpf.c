// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Gives uploads back the congestion control that they had, when they are not registered for BBR any more: the daemon has it go over all sockets of its network
 * namespace. What a program has chosen since stays.
 */
#include "uploads.h"

struct sock_common;

/* Of the kernel's types (bpf_iter__tcp in net/ipv4/tcp_ipv4.c). */
struct bpf_iter__tcp {
	struct sock_common *sk_common;
} __attribute__((preserve_access_index));

SEC("iter/tcp") int restore(struct bpf_iter__tcp *ctx)
{
	struct sock_common *sk = ctx->sk_common;
	if (!sk) /* behind the last one */
		return 0;
	struct upload *upload = bpf_sk_storage_get(&uploads, sk, NULL, 0);
	struct known *known = bpf_sk_storage_get(&known_sockets, sk, NULL, 0);
	if (!upload || !upload->before[0] || (known && policy_of(&known->by) & POLICY_BBR))
		return 0;
	char now[CONGESTION_NAME_BYTES] = {};
	if (!bpf_getsockopt(sk, IPPROTO_TCP, TCP_CONGESTION, now, sizeof(now)) && !bpf_strncmp(now, sizeof(now), bbr))
		bpf_setsockopt(sk, IPPROTO_TCP, TCP_CONGESTION, upload->before, sizeof(upload->before));
	upload->before[0] = 0;
	return 0;
}

char _license[] SEC("license") = "Dual MIT/GPL";
