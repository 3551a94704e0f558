/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * Bistable switch of FWP (section V.C): whether segments are lost to the wireless hop, and filled in, or to congestion, and left to TCP. Pure: no clock, no map.
 *
 * Congestion is any of:
 * - More lost within one round trip than the expected frame error rate explains (the paper's rule, with the deviation that so few segments have).
 * - A queue that stands when something is lost: the shortest round trip of the window is over the least one of the flow by more than a half of the longest queue
 *   that has stood so far, or by a quarter of the least round trip. A drop-tail queue loses when it is full, and a rate alone would take that for frames that
 *   were lost (one segment of hundreds). The shortest, as single ones vary without a queue (CoDel, RFC 8289 section 3.1); what is less than four times the
 *   variation of even the shortest ones is no queue (as the time-out of RFC 6298 has it).
 * - A mark of a router's (CE, RFC 3168).
 *
 * Times are in milliseconds, as those of TCP's timestamps are, and wrap. Processors may race here: then a segment is not counted, and no more.
 */
#pragma once
#include <stdbool.h>
#include <linux/types.h>

#define GRAIN_MS 2 /* two readings of a clock of milliseconds */
#define INHIBITED_RTTS 2 /* one until the sender has heard of it, one until its answer shows */
#define LONGEST_RTT_MS 60000 /* longer ones are no measurements */
#define SAMPLES 8 /* of a round trip, until the shortest says something about the queue */
#define RATE_ONE 65536 /* a frame error rate of 1 */
#define LEAST_LEARNT (RATE_ONE / 100)
#define MOST_LEARNT (RATE_ONE / 10)
#define LEARNT_SHIFT 3 /* the weight of a window's rate: an eighth */

/* About one round trip. */
struct window {
	__u32 began_ms;
	__u32 segments; /* that came */
	__u32 lost; /* segments */
	__u32 shortest_ms; /* round trip */
};

struct bistable {
	struct window now;
	struct window before;
	__u32 least_ms; /* round trip of the flow */
	__u32 longest_queue_ms; /* that has stood for a window */
	__u32 variation_eighths_ms; /* from a window's shortest round trip to the next one's, smoothed */
	__u32 inhibited_until_ms;
	__u32 error_rate; /* expected, of RATE_ONE */
	__u32 is_learning; /* the rate: nobody has told it */
};

static __always_inline bool is_inhibited(const struct bistable *b, __u32 now_ms)
{
	return b->inhibited_until_ms - now_ms - 1 < INHIBITED_RTTS * LONGEST_RTT_MS;
}

static __always_inline void inhibit(struct bistable *b, __u32 now_ms, __u32 rtt_ms)
{
	b->inhibited_until_ms = now_ms + INHIBITED_RTTS * (rtt_ms ? rtt_ms : 1);
}

static __always_inline __u32 less(__u32 a, __u32 b) { return a < b ? a : b; }
static __always_inline __u32 more(__u32 a, __u32 b) { return a > b ? a : b; }

static __always_inline __u32 queue_of(const struct bistable *b, __u32 shortest_ms)
{
	return shortest_ms > b->least_ms ? shortest_ms - b->least_ms : 0;
}

/* @returns how long one may stand, without being one that loses */
static __always_inline __u32 allowed_queue(const struct bistable *b)
{
	__u32 noise = more(GRAIN_MS, b->variation_eighths_ms / 2);
	return more(noise, less(b->longest_queue_ms / 2, b->least_ms / 4));
}

static __always_inline bool does_queue_stand(const struct bistable *b)
{
	const struct window *window = b->now.segments >= SAMPLES ? &b->now : &b->before;
	return window->segments >= SAMPLES && queue_of(b, window->shortest_ms) > allowed_queue(b);
}

/* More than expected by one and two deviations: lost - np - 1 > 2 sqrt(np), squared. */
static __always_inline bool is_more_than_expected(const struct bistable *b)
{
	__u64 segments = b->now.segments > b->before.segments ? b->now.segments : b->before.segments;
	__u64 lost = (__u64)b->now.lost * RATE_ONE, expected = (segments + b->now.lost) * b->error_rate;
	if (lost <= expected + RATE_ONE)
		return false;
	__u64 excess = (lost - expected - RATE_ONE) >> 8; /* the square of the unit is RATE_ONE then, and the square fits */
	return excess * excess > 4 * expected;
}

static __always_inline void learn(struct bistable *b)
{
	const struct window *window = &b->now;
	if (!b->is_learning || window->segments < SAMPLES)
		return;
	__u32 rate = (__u64)window->lost * RATE_ONE / (window->segments + window->lost);
	__u32 learnt = b->error_rate - (b->error_rate >> LEARNT_SHIFT) + (rate >> LEARNT_SHIFT);
	b->error_rate = more(LEAST_LEARNT, less(MOST_LEARNT, learnt));
}

static __always_inline void turn_window(struct bistable *b, __u32 now_ms, __u32 rtt_ms)
{
	if (b->now.segments >= SAMPLES)
		b->longest_queue_ms = more(b->longest_queue_ms, queue_of(b, b->now.shortest_ms));
	if (b->now.segments >= SAMPLES && b->before.segments >= SAMPLES) {
		__u32 least = less(b->now.shortest_ms, b->before.shortest_ms), most = more(b->now.shortest_ms, b->before.shortest_ms);
		b->variation_eighths_ms += most - least - b->variation_eighths_ms / 8;
	}
	if (!is_inhibited(b, now_ms) && !does_queue_stand(b))
		learn(b);
	b->before = b->now;
	b->now = (struct window){ .began_ms = now_ms, .shortest_ms = rtt_ms };
}

/* Segments have come. */
static __always_inline void segments_came(struct bistable *b, __u32 now_ms, __u32 rtt_ms, __u32 segments)
{
	if (now_ms - b->now.began_ms >= rtt_ms && now_ms != b->now.began_ms)
		turn_window(b, now_ms, rtt_ms);
	b->now.segments += segments;
	if (rtt_ms < b->now.shortest_ms)
		b->now.shortest_ms = rtt_ms;
	if (rtt_ms < b->least_ms)
		b->least_ms = rtt_ms;
}

/* Segments are missing. @returns whether that begins to be a sign of congestion */
static __always_inline bool segments_lost(struct bistable *b, __u32 now_ms, __u32 rtt_ms, __u32 lost)
{
	b->now.lost += lost;
	if (is_inhibited(b, now_ms) || !(does_queue_stand(b) || is_more_than_expected(b)))
		return false;
	inhibit(b, now_ms, rtt_ms);
	return true;
}
