/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
#pragma once
#include "flow.h"

/* In the order of kernel.Counters (internal/kernel/counters.go). */
enum counter {
	THIN_SEEN, /* thin messages handed to the daemon */
	THIN_LOST, /* thin messages that found no room on the way to it */
	FLOWS_SEEN, /* registered TCP connections */
	RETRANSMITTED, /* segments that TCP itself sent again, of registered flows */
	REDIRECTED, /* connections led into the spool */
	COUNTERS
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, COUNTERS);
	__type(key, __u32);
	__type(value, __u64);
} counters SEC(".maps");

static __always_inline void count(__u32 which)
{
	__u64 *value = bpf_map_lookup_elem(&counters, &which);
	if (value)
		*value += 1;
}
