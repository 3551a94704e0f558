/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/* What the programs of FWP share with the daemon (internal/fwp). Offsets of a stream count from the first byte that the peer has sent on the connection. */
#pragma once
#include "bistable.h"
#include "lookup.h"

/* What has come of a flow. Nothing evicts an entry: one that vanished would take placeholders with it that nobody has been told of. */
struct fwp_flow {
	__u64 expected; /* behind what was let through; UNKNOWN: nothing yet */
	__u64 from; /* holes begin there, or later */
	__u64 end; /* and end there, or before */
	__u64 holes_from, holes_to; /* all that were filled are between; where late originals may be of */
	__u64 hole_bytes; /* filled */
	__u32 number; /* of this registration, in events */
	__u32 base; /* sequence number of the stream's first byte */
	__u32 clock; /* what TCP adds to its clock for this connection's timestamps */
	__u32 ifindex; /* where it is looked at: what passes a VLAN's lower device, too, is the same packet */
	__u32 segment_bytes; /* the largest payload of one segment */
	__u32 is_closed; /* nothing is looked at any more: the peer began another connection of the same ends; or it sends urgent data, which a reader's stream does not count (tcp(7)) */
	struct bistable loss;
};

#define UNKNOWN (~0ull)

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 256);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct flow_key);
	__type(value, struct fwp_flow);
} fwp_flows SEC(".maps");

enum event_kind {
	EVENT_HOLE, /* was filled */
	EVENT_LATE, /* a segment has come that may be the original of one */
};

struct fwp_event {
	__u64 offset; /* in the stream */
	__u32 flow; /* its number */
	__u32 bytes; /* of payload */
	__u32 kind;
	__u32 headers; /* of a late segment: bytes of its TCP header */
	__u32 is_checked; /* the device has checked its sum */
};

#define LATE_BYTES 4096 /* two segments that were merged, or one of a jumbo frame's half; longer ones are fetched instead */

struct fwp_late {
	struct fwp_event event;
	__u8 segment[LATE_BYTES]; /* with its TCP header */
};

/* The daemon reads it when it is asked: nobody is woken up. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);
} fwp_events SEC(".maps");

/* Since the programs were loaded. */
struct fwp_counters {
	__u64 holes; /* filled */
	__u64 hole_bytes;
	__u64 late; /* segments that may be originals */
	__u64 congested; /* times that filling was inhibited */
	__u64 no_room; /* holes that were left to TCP, as the events took no more */
};

struct fwp_counters fwp_counters;

/* When the daemon was last there. A killed one leaves the programs on kernels before 6.6, and nobody would be told of what they fill. */
volatile __u32 daemon_seen_ms;

#define LEASE_MS 3000

/* What the daemon asks by running look_at on it as on a packet. */
struct fwp_state {
	struct flow_key key;
	__u64 received; /* offset behind what TCP has received in order */
	__u32 base; /* as of struct fwp_flow */
	__u32 clock;
	__u32 least_rtt_us;
	__u32 recent; /* TSval of the peer that counts (RFC 7323 section 4.3); 0: it sends none */
	__u32 is_below; /* another protocol, which has its own offsets: what its reader gets is not TCP's stream */
};

const struct fwp_state *asked_of_fwp __attribute__((unused)); /* so that the daemon's types are made of them */
const struct fwp_late *late_of_fwp __attribute__((unused));
