/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/* What a flow has sent, what was acknowledged, and how long that took. */
#pragma once
#include "counters.h"
#include "packet.h"

static __always_inline bool before(__u32 a, __u32 b)
{
	return (__s32)(a - b) < 0;
}

static __always_inline void learn_rtt(struct flow *flow, __u32 sample_us)
{
	if (sample_us == 0)
		sample_us = 1;
	if (!flow->rtt_us) { /* RFC 6298, (2.2) and (2.3) */
		flow->rtt_us = sample_us;
		flow->rtt_variation_us = sample_us / 2;
		flow->min_rtt_us = sample_us;
		return;
	}
	__u32 apart = sample_us > flow->rtt_us ? sample_us - flow->rtt_us : flow->rtt_us - sample_us;
	flow->rtt_variation_us += (apart >> 2) - (flow->rtt_variation_us >> 2);
	flow->rtt_us += (sample_us >> 3) - (flow->rtt_us >> 3);
	if (sample_us < flow->min_rtt_us)
		flow->min_rtt_us = sample_us;
}

/* A segment leaves whose last byte is before `end`. @returns whether it is new, not sent again by TCP */
static __always_inline bool track_sent(struct flow *flow, __u32 first, __u32 end)
{
	if (before(first, flow->sent)) {
		count(RETRANSMITTED);
		flow->timed_ns = 0; /* Karn: its acknowledgement may be of either */
		return false;
	}
	flow->sent = end;
	if (!flow->timed_ns) {
		flow->timed = end;
		flow->timed_ns = bpf_ktime_get_ns();
	}
	return true;
}

static __always_inline void track_acknowledged(struct flow *flow, __u32 acknowledgement)
{
	if (before(flow->acknowledged, acknowledgement) && !before(flow->sent, acknowledgement))
		flow->acknowledged = acknowledgement;
	if (flow->timed_ns && !before(acknowledgement, flow->timed)) {
		__u64 elapsed_us = (bpf_ktime_get_ns() - flow->timed_ns) / 1000;
		flow->timed_ns = 0;
		learn_rtt(flow, elapsed_us > 0xffffffffu ? 0xffffffffu : elapsed_us);
	}
}

#define OPTION_END 0
#define OPTION_PADDING 1
#define OPTION_SACK 5
#define MAX_OPTIONS 10
#define MAX_OPTION_BYTES 40

/* Whether the first SACK block lies before the acknowledgement: a report of what was got twice (RFC 2883 section 4). */
static __always_inline bool reports_duplicate(struct __sk_buff *skb, const struct packet *packet)
{
	__u32 offset = packet->transport + sizeof(struct tcphdr);
	/* Without CAP_PERFMON the verifier of kernels before 6.8 also follows what a processor may speculate, and would go round a loop for ever. */
#pragma unroll
	for (int i = 0; i < MAX_OPTIONS; i++) {
		struct {
			__u8 kind;
			__u8 length;
		} option = {};
		if (offset >= packet->payload || bpf_skb_load_bytes(skb, offset, &option.kind, 1) || option.kind == OPTION_END)
			return false;
		if (option.kind == OPTION_PADDING) {
			offset += 1;
			continue;
		}
		if (bpf_skb_load_bytes(skb, offset + 1, &option.length, 1) || option.length < 2 || option.length > MAX_OPTION_BYTES)
			return false;
		if (option.kind == OPTION_SACK) {
			__u32 right;
			return option.length >= 10 && offset + 10 <= packet->payload && !bpf_skb_load_bytes(skb, offset + 6, &right, sizeof(right)) &&
			       !before(packet->acknowledgement, bpf_ntohl(right));
		}
		offset += option.length;
	}
	return false;
}
