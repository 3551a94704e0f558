/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/* Addresses and the ends of a flow, as programs and daemon name them. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

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

static __always_inline bool is_ip4(const __u32 ip[4])
{
	return !ip[0] && !ip[1] && ip[2] == bpf_htonl(0xffff);
}

/* One end-to-end flow, seen from this host. */
struct flow_key {
	__u32 local[4];
	__u32 remote[4];
	__u16 local_port;
	__u16 remote_port;
	__u8 protocol;
};
