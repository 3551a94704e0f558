/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
#pragma once
#include "flow.h"

enum counter {
	THIN_LOST, /* thin messages that found no room on the way to it */
	FLOWS_SEEN, /* registered TCP connections */
	RETRANSMITTED, /* segments that TCP itself sent again, of registered flows */
	REDIRECTED, /* connections led into the spool */
	COUNTERS
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, COUNTERS);
	__type(key, enum counter);
	__type(value, __u64);
} counters SEC(".maps");

static __always_inline void count(enum counter which)
{
	__u64 *value = bpf_map_lookup_elem(&counters, &which);
	if (value)
		*value += 1;
}
