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
	flow->last_rtt_us = sample_us;
	flow->last_rtt_bytes = flow->timed_bytes;
	flow->round_trips += 1;
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

static __always_inline void begin_timing(struct flow *flow, __u32 end, __u32 value)
{
	flow->timed = end;
	flow->timed_bytes = end - flow->acknowledged;
	flow->timed_value = value;
	flow->timed_ns = bpf_ktime_get_ns();
	flow->again_ns = 0;
}

#define TIMESTAMPS_BEGIN 0x0101080a /* two of padding, the kind 8, its length 10 */
#define TIMESTAMPS_BYTES 12

struct timestamps {
	__u32 value;
	__u32 echo;
};

/* Where nearly all of TCP has them (RFC 7323 appendix A); first segments, which have other options, are not asked for theirs. */
static __always_inline struct timestamps timestamps(struct __sk_buff *skb, const struct packet *packet)
{
	struct {
		__u32 begin;
		struct timestamps at;
	} option;
	if (packet->key.protocol != IPPROTO_TCP || packet->payload < packet->transport + sizeof(struct tcphdr) + sizeof(option) ||
	    bpf_skb_load_bytes(skb, packet->transport + sizeof(struct tcphdr), &option, sizeof(option)) || option.begin != bpf_htonl(TIMESTAMPS_BEGIN))
		return (struct timestamps){};
	return (struct timestamps){ .value = bpf_ntohl(option.at.value), .echo = bpf_ntohl(option.at.echo) };
}

/* A segment leaves whose last byte is before `end`. @returns whether it is new, not sent again by TCP */
static __always_inline bool track_sent(struct __sk_buff *skb, const struct packet *packet, struct flow *flow, __u32 end)
{
	if (before(packet->sequence, flow->sent)) {
		count(RETRANSMITTED);
		flow->timed_ns = 0; /* Karn: its acknowledgement may be of either; a timestamp tells */
		__u32 value = timestamps(skb, packet).value;
		if (value && packet->sequence == flow->acknowledged)
			begin_timing(flow, end, value);
		return false;
	}
	flow->sent = end;
	if (!flow->timed_ns)
		begin_timing(flow, end, 0);
	return true;
}

/* The driver sends a message once more, as nothing acknowledged it. */
static __always_inline void track_sent_again(struct flow *flow, __u32 end)
{
	if (flow->timed == end && !flow->again_ns)
		flow->again_ns = bpf_ktime_get_ns();
}

/* Whether what has just been acknowledged can only be what was timed. */
static __always_inline bool is_unambiguous(struct __sk_buff *skb, const struct packet *packet, const struct flow *flow, __u64 now)
{
	if (flow->again_ns) /* Too early to be of the second: a wait that was too short is noticed, and the next one is longer. So it is where nothing is known. */
		return !flow->min_rtt_us || now - flow->again_ns < flow->min_rtt_us * 1000ull;
	return !flow->timed_value || timestamps(skb, packet).echo == flow->timed_value;
}

static __always_inline void track_acknowledged(struct __sk_buff *skb, const struct packet *packet, struct flow *flow, __u32 acknowledgement)
{
	if (before(flow->acknowledged, acknowledgement) && !before(flow->sent, acknowledgement))
		flow->acknowledged = acknowledgement;
	if (!flow->timed_ns || before(acknowledgement, flow->timed))
		return;
	__u64 now = bpf_ktime_get_ns();
	__u64 elapsed_us = (now - flow->timed_ns) / 1000;
	flow->timed_ns = 0;
	if (is_unambiguous(skb, packet, flow, now))
		learn_rtt(flow, elapsed_us > 0xffffffffu ? 0xffffffffu : elapsed_us);
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
	__u32 begin;
	if (packet->payload == offset + TIMESTAMPS_BYTES && !bpf_skb_load_bytes(skb, offset, &begin, sizeof(begin)) && begin == bpf_htonl(TIMESTAMPS_BEGIN))
		return false; /* nothing but timestamps, as nearly always */
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
