/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * Uploads with BBR: congestion control by loss takes what a wireless hop has lost for congestion. A socket changes over when it sends a body, once, and back when
 * its registration is taken back (uploads.bpf.c).
 */
#pragma once
#include <linux/in.h>
#include <linux/tcp.h>
#include "flow.h"

#define CONGESTION_NAME_BYTES 16 /* TCP_CA_NAME_MAX in include/net/tcp.h */
#define UPLOAD_BYTES (64 << 10) /* more than requests, and three round trips of slow start: a smaller body is there before it pays */
#define PAUSE_NS 1000000000ull /* many requests one after the other are no upload */

/* What is kept of a socket that may upload, with the socket. */
struct upload {
	__u64 from; /* so much was acknowledged when it began to send without a pause */
	__u64 seen_ns; /* CLOCK_MONOTONIC */
	char before[CONGESTION_NAME_BYTES]; /* the congestion control that it had; empty: that which it has */
};

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct upload);
} uploads SEC(".maps");

static __always_inline void set_round_trip_events(struct bpf_sock_ops *ctx, bool wanted)
{
	int others = ctx->bpf_sock_ops_cb_flags & ~BPF_SOCK_OPS_RTT_CB_FLAG;
	bpf_sock_ops_cb_flags_set(ctx, wanted ? others | BPF_SOCK_OPS_RTT_CB_FLAG : others);
}

/* A socket has connected that may upload: it is looked at once a round trip. */
static __always_inline void watch_upload(struct bpf_sock_ops *ctx, struct bpf_sock *sk)
{
	if (bpf_sk_storage_get(&uploads, sk, NULL, BPF_SK_STORAGE_GET_F_CREATE))
		set_round_trip_events(ctx, true);
}

static const char cubic[] = "cubic", reno[] = "reno", bbr[] = "bbr";

/* What is neither of both, a program or the administrator has chosen. */
static __always_inline bool is_by_loss(const char name[CONGESTION_NAME_BYTES])
{
	return !bpf_strncmp(name, CONGESTION_NAME_BYTES, cubic) || !bpf_strncmp(name, CONGESTION_NAME_BYTES, reno);
}

static __always_inline void change_to_bbr(struct bpf_sock_ops *ctx, struct upload *upload)
{
	char name[CONGESTION_NAME_BYTES] = {}, to[] = "bbr";
	if (bpf_getsockopt(ctx, IPPROTO_TCP, TCP_CONGESTION, name, sizeof(name)) || !is_by_loss(name))
		return;
	if (bpf_setsockopt(ctx, IPPROTO_TCP, TCP_CONGESTION, to, sizeof(to))) /* no module is loaded for this */
		return;
	__builtin_memcpy(upload->before, name, sizeof(name));
	__sync_fetch_and_add(&counters.uploads, 1);
}

/* Once a round trip. */
static __always_inline void follow_upload(struct bpf_sock_ops *ctx, struct bpf_sock *sk)
{
	struct upload *upload = bpf_sk_storage_get(&uploads, sk, NULL, 0);
	if (!upload)
		return;
	__u64 now_ns = bpf_ktime_get_ns(), acknowledged = ctx->bytes_acked;
	if (now_ns - upload->seen_ns > PAUSE_NS)
		upload->from = acknowledged;
	upload->seen_ns = now_ns;
	if (acknowledged - upload->from < UPLOAD_BYTES)
		return;
	change_to_bbr(ctx, upload);
	set_round_trip_events(ctx, false);
}
