/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * Bistable switch of FWP (section V.C): whether segments are lost to the wireless hop, and filled in, or to congestion, and left to TCP. Pure: no clock, no map.
 *
 * Congestion is any of:
 * - More losses than the expected frame error rate explains: a token bucket, where what comes earns the expected losses and a half, and each loss takes one. The
 *   paper counts over one round trip, in which so few segments come that twice the expected rate is chance.
 * - A queue that stands when something is lost: the shortest of the last round trips is over the flow's least one by more than a half of that. TCP's answer then
 *   drains a queue, and hardly the link: little is lost where it was a frame after all. The shortest, as single ones vary without a queue (CoDel, RFC 8289 section
 *   3.1); what is less than four times the variation of even the shortest ones is no queue (as the time-out of RFC 6298 has it). That a shorter queue loses
 *   shows when the bucket is empty while it stands; from then on one of three quarters of it is a sign.
 * - A mark of a router's (CE, RFC 3168).
 *
 * A sender answers once to all that is lost of what it had sent before it heard (RFC 5681 section 4.3). So everything of one round trip is left to TCP, and what
 * comes behind its answer is judged anew.
 *
 * Times are in milliseconds, as those of TCP's timestamps are, and wrap. Processors may race here: then a segment is not counted, and no more.
 */
#pragma once
#include <stdbool.h>
#include <linux/types.h>

#define GRAIN_MS 2 /* two readings of a clock of milliseconds */
#define LONGEST_RTT_MS 60000 /* longer ones are no measurements */
#define SAMPLES 8 /* of a round trip, until the shortest says something about the queue */
#define RATE_ONE 65536 /* a frame error rate of 1, and a loss in the bucket */
#define BUCKET 10 /* losses at the most: with 2 % expected it is empty by chance once in 200,000 segments, with twice that lost after 900 */
#define FIRST_SEGMENTS 512 /* what is expected at first is worth so many */
#define LEARNT_SEGMENTS 1024 /* the rate is that of about so many, and what they lose is in a full bucket */

/* About one round trip. */
struct window {
	__u32 began_ms;
	__u32 segments; /* that came; 0: of before TCP's answer */
	__u32 clear; /* of them: that saw no queue */
	__u32 lost; /* segments, before those */
	__u32 shortest_ms; /* round trip */
};

struct bistable {
	struct window now;
	struct window before;
	__u32 least_ms; /* round trip of the flow */
	__u32 last_ms; /* round trip of the last segment */
	__u32 beside_ms; /* the longer one of it and the one before: a hole is between them */
	__u32 full_queue_ms; /* that has lost; 0: not known */
	__u32 variation_eighths_ms; /* from a window's shortest round trip to the next one's, smoothed */
	__u32 inhibited_until_ms;
	__u32 spent; /* of the bucket */
	__u32 error_rate; /* expected, of RATE_ONE */
	__u32 learnt_segments; /* that the rate is of */
	__u32 most_learnt; /* what the rate may come to; 0: it is not learnt */
};

static __always_inline bool is_inhibited(const struct bistable *b, __u32 now_ms)
{
	return b->inhibited_until_ms - now_ms - 1 < LONGEST_RTT_MS;
}

/* The sender hears of it in this round trip. What comes in it was sent before. */
static __always_inline void inhibit(struct bistable *b, __u32 now_ms, __u32 rtt_ms)
{
	b->inhibited_until_ms = now_ms + (rtt_ms ? rtt_ms : 1);
	b->spent = 0;
	b->now = b->before = (struct window){ .began_ms = b->inhibited_until_ms, .shortest_ms = ~0u };
}

static __always_inline __u32 less(__u32 a, __u32 b) { return a < b ? a : b; }
static __always_inline __u32 more(__u32 a, __u32 b) { return a > b ? a : b; }

/* @returns what has stood since the last window began; 0: not known */
static __always_inline __u32 standing_queue(const struct bistable *b)
{
	__u32 shortest_ms = less(b->before.shortest_ms, b->now.shortest_ms);
	return b->before.segments >= SAMPLES && shortest_ms > b->least_ms ? shortest_ms - b->least_ms : 0;
}

static __always_inline __u32 noise(const struct bistable *b)
{
	return more(GRAIN_MS, b->variation_eighths_ms / 2);
}

/* @returns how long a queue may stand, without being one that loses */
static __always_inline __u32 allowed_queue(const struct bistable *b)
{
	__u32 allowed = b->least_ms / 2;
	if (b->full_queue_ms)
		allowed = less(allowed, b->full_queue_ms * 3 / 4);
	return more(noise(b), allowed);
}

/* A half more than the losses of so many segments: where none are expected the first one is too much. */
static __always_inline __u32 bucket(const struct bistable *b)
{
	return less(BUCKET * RATE_ONE, RATE_ONE / 2 + LEARNT_SEGMENTS * b->error_rate);
}

/* @returns whether the last segments, on both sides of a hole, saw no queue: one that is full for a moment loses, too */
static __always_inline bool is_clear(const struct bistable *b)
{
	return b->beside_ms <= b->least_ms + more(noise(b), b->least_ms / 8);
}

/* The rate, where there is no queue. More than the bucket holds is no loss of the hop's. */
static __always_inline void learn(struct bistable *b)
{
	const struct window *window = &b->now;
	if (!b->most_learnt)
		return;
	__u32 lost = less(less(window->lost, BUCKET) * RATE_ONE, bucket(b));
	__u32 known = more(FIRST_SEGMENTS, b->learnt_segments), segments = known + less(window->clear + window->lost, LEARNT_SEGMENTS);
	__u32 learnt = ((__u64)b->error_rate * known + lost) / segments;
	b->error_rate = less(b->most_learnt, learnt);
	b->learnt_segments = less(LEARNT_SEGMENTS, segments);
}

static __always_inline void turn_window(struct bistable *b, __u32 now_ms, __u32 rtt_ms)
{
	__u32 queue_ms = standing_queue(b);
	if (b->now.segments >= SAMPLES && b->before.segments >= SAMPLES) {
		__u32 least = less(b->now.shortest_ms, b->before.shortest_ms), most = more(b->now.shortest_ms, b->before.shortest_ms);
		b->variation_eighths_ms += most - least - b->variation_eighths_ms / 8;
	}
	learn(b);
	if (b->full_queue_ms)
		b->full_queue_ms = more(b->full_queue_ms, queue_ms);
	b->before = b->now;
	b->now = (struct window){ .began_ms = now_ms, .shortest_ms = rtt_ms };
}

/* Segments have come. */
static __always_inline void segments_came(struct bistable *b, __u32 now_ms, __u32 rtt_ms, __u32 segments)
{
	if (is_inhibited(b, now_ms))
		return;
	if (now_ms - b->now.began_ms >= rtt_ms && now_ms != b->now.began_ms)
		turn_window(b, now_ms, rtt_ms);
	b->now.segments += segments;
	b->now.shortest_ms = less(b->now.shortest_ms, rtt_ms);
	b->least_ms = less(b->least_ms, rtt_ms);
	b->beside_ms = more(b->last_ms, rtt_ms);
	b->last_ms = rtt_ms;
	b->now.clear += is_clear(b) ? segments : 0;
	__u64 earned = (__u64)b->error_rate * segments * 3 / 2;
	b->spent = earned < b->spent ? b->spent - earned : 0;
}

/* Segments are missing. @returns whether that begins to be a sign of congestion */
static __always_inline bool segments_lost(struct bistable *b, __u32 now_ms, __u32 rtt_ms, __u32 lost)
{
	if (is_inhibited(b, now_ms))
		return false;
	b->now.lost += is_clear(b) ? lost : 0;
	b->spent += less(lost, BUCKET + 1) * RATE_ONE;
	__u32 queue_ms = standing_queue(b);
	bool is_empty = b->spent > bucket(b);
	if (is_empty && queue_ms > noise(b))
		b->full_queue_ms = queue_ms;
	if (!is_empty && queue_ms <= allowed_queue(b))
		return false;
	learn(b);
	inhibit(b, now_ms, rtt_ms);
	return true;
}
