// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/* Has the switch judge segments of tests, by BPF_PROG_TEST_RUN. The driver does not have this program. */
#include <linux/bpf.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_helpers.h>
#include "bistable.h"

/* A segment that has come, and what is missing before it. */
struct arrival {
	struct bistable state; /* before it, then behind it */
	__u32 now_ms;
	__u32 rtt_ms;
	__u32 segments; /* as one packet */
	__u32 lost; /* segments */
};

#define LEFT 0 /* to TCP */
#define FILLED 1
#define SIGN 2 /* of congestion: left, and what follows, too */
#define NO_ARRIVAL 3

SEC("tc") int judge(struct __sk_buff *skb)
{
	struct arrival *arrival = (void *)(long)skb->data;
	if ((void *)(arrival + 1) > (void *)(long)skb->data_end)
		return NO_ARRIVAL;
	segments_came(&arrival->state, arrival->now_ms, arrival->rtt_ms, arrival->segments);
	if (arrival->lost && segments_lost(&arrival->state, arrival->now_ms, arrival->rtt_ms, arrival->lost))
		return SIGN;
	return is_inhibited(&arrival->state, arrival->now_ms) ? LEFT : FILLED;
}

const struct arrival *arrival_of_test __attribute__((unused)); /* so that the tests' types are made of it */

char _license[] SEC("license") = "Dual MIT/GPL";
