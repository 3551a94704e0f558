// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Compatible TCP of FWP (section V.C), at the ingress hook (tcx, or clsact on kernels before 6.6) of the interfaces of registered flows: what a wireless hop has
 * lost is filled with placeholders before TCP can see that it is missing. Who has registered the flow is told of each one, and fetches the bytes by itself.
 */
#include "fwp.h"
#include "placeholder.h"
#include "tcp.h"

/* TCX_NEXT and TCX_DROP; TC_ACT_UNSPEC and TC_ACT_SHOT */
#define GO_ON (-1)
#define DROP 2

#define NS_PER_MS 1000000ull
#define MAX_HEADERS (ETH_HLEN + sizeof(struct ipv6hdr) + MAX_TCP_HEADER)
/* A half of what has come may be filled, and so much besides: more would be a transfer made of holes. */
#define FREE_BYTES (256 << 10)

/* Too large for a program's stack; ingress runs with bottom halves off, so one a processor is enough. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct fwp_late);
} late_scratch SEC(".maps");

/* Another processor may run the same flow. */
static __always_inline __u64 expected_of(const struct fwp_flow *flow)
{
	return *(const volatile __u64 *)&flow->expected;
}

/* @returns the offset of a sequence number that is nearest to another one */
static __always_inline __u64 offset_of(const struct fwp_flow *flow, __u32 sequence, __u64 near)
{
	return near + (__s32)(sequence - (flow->base + (__u32)near));
}

/* Names the flow as this host does: `parse` takes the sender for this host. */
static __always_inline void turn_ends(struct packet *packet)
{
	struct flow_key key;
	__builtin_memset(&key, 0, sizeof(key)); /* what is between members counts in a map, too */
	set_ip6(key.local, packet->key.remote);
	set_ip6(key.remote, packet->key.local);
	key.local_port = packet->key.remote_port;
	key.remote_port = packet->key.local_port;
	key.protocol = packet->key.protocol;
	packet->key = key;
}

static __always_inline bool parse_incoming(struct __sk_buff *skb, struct packet *packet)
{
	__u32 network = packet->network, headers = skb->len < MAX_HEADERS ? skb->len : MAX_HEADERS;
	bool is_parsed = parse(skb, packet);
	if (!is_parsed && !header_at(skb, 0, headers) && !bpf_skb_pull_data(skb, headers)) {
		*packet = (struct packet){ .network = network };
		is_parsed = parse(skb, packet);
	}
	return is_parsed && packet->key.protocol == IPPROTO_TCP;
}

static __always_inline bool is_marked(struct __sk_buff *skb, const struct packet *packet)
{
	const __u8 *ip = parsed_at(skb, packet->network, 2);
	if (!ip)
		return false;
	return ((skb->protocol == bpf_htons(ETH_P_IP) ? ip[1] : ip[1] >> 4) & CE) == CE;
}

/* Lets a segment through, unless something before it is missing. @returns what was expected before */
static __always_inline __u64 advance(struct fwp_flow *flow, struct segment *segment, const struct packet *packet)
{
	for (int tries = 0; tries < 8; tries++) {
		__u64 expected = expected_of(flow), near = expected == UNKNOWN ? flow->from : expected;
		segment->from = offset_of(flow, packet->sequence, near);
		segment->to = segment->from + (packet->end - packet->payload);
		if ((__s64)segment->from < 0) { /* of the stream's begin: a probe whether this host is there */
			segment->from = expected;
			return expected;
		}
		if (expected != UNKNOWN && (segment->from > expected || segment->to <= expected))
			return expected;
		if (__sync_val_compare_and_swap(&flow->expected, expected, segment->to) == expected)
			return expected == UNKNOWN ? segment->from : expected;
	}
	return segment->from; /* others are faster each time: theirs count */
}

/*
 * What came where the programs do not see it is not missing.
 *
 * @returns where a hole before the segment would begin; UNKNOWN: TCP would not take the segment
 */
static __always_inline __u64 missing_from(struct __sk_buff *skb, const struct fwp_flow *flow, const struct packet *packet,
	const struct segment *segment, __u64 expected)
{
	__u64 from = UNKNOWN;
	struct bpf_sock *sk = look_up_socket(skb, &packet->key);
	if (!sk)
		return from;
	struct tcp_sock *tcp = sk->state == BPF_TCP_ESTABLISHED ? bpf_skc_to_tcp_sock(sk) : NULL;
	if (tcp && is_acceptable(tcp, segment, packet->sequence + (packet->end - packet->payload))) {
		__u64 received = offset_of(flow, tcp->rcv_nxt, expected);
		from = received > expected ? received : expected;
	}
	bpf_sk_release(sk);
	return from;
}

static __always_inline bool acknowledges_us(struct __sk_buff *skb, const struct packet *packet, const struct segment *segment)
{
	struct bpf_sock *sk = look_up_socket(skb, &packet->key);
	if (!sk)
		return false;
	struct tcp_sock *tcp = bpf_skc_to_tcp_sock(sk);
	bool is_acceptable = tcp && is_acknowledgement_acceptable(tcp, segment);
	bpf_sk_release(sk);
	return is_acceptable;
}

/* What was expected before has come after all. If a placeholder stood for it, here are its bytes; TCP drops them. */
static __always_inline void tell_late(struct __sk_buff *skb, const struct fwp_flow *flow, const struct packet *packet, const struct segment *segment)
{
	if (segment->from >= flow->holes_to || segment->to <= flow->holes_from || !acknowledges_us(skb, packet, segment))
		return;
	__u32 zero = 0;
	struct fwp_late *late = bpf_map_lookup_elem(&late_scratch, &zero);
	__u64 bytes = packet->end - packet->transport;
	barrier_var(bytes); /* what is compared is what is used: the verifier follows registers */
	if (!late || bytes < sizeof(struct tcphdr))
		return;
	barrier_var(bytes);
	if (bytes > LATE_BYTES || bpf_skb_load_bytes(skb, packet->transport, late->segment, bytes))
		return;
	late->event = (struct fwp_event){
		.kind = EVENT_LATE, .flow = segment->flow, .offset = segment->from, .bytes = packet->end - packet->payload,
		.headers = packet->payload - packet->transport, .is_checked = bpf_csum_level(skb, BPF_CSUM_LEVEL_QUERY) >= 0,
	};
	if (!bpf_ringbuf_output(&fwp_events, late, offsetof(struct fwp_late, segment) + bytes, BPF_RB_NO_WAKEUP))
		__sync_fetch_and_add(&fwp_counters.late, 1);
}

static __always_inline bool may_fill(struct __sk_buff *skb, const struct fwp_flow *flow, const struct packet *packet, __u64 from, __u64 to,
	__u32 now_ms)
{
	__u64 hole = to - from;
	bool is_leased = now_ms - daemon_seen_ms + 1 <= LEASE_MS; /* it may have been there since this segment's time was read */
	bool is_asked_for = from >= flow->from && to <= flow->end;
	return is_leased && is_asked_for && flow->hole_bytes + hole <= FREE_BYTES + (from - flow->from) / 2 && has_room(skb, packet, hole);
}

static __always_inline void count_filled(struct fwp_flow *flow, __u64 from, __u64 to)
{
	if (from < flow->holes_from)
		flow->holes_from = from;
	if (to > flow->holes_to)
		flow->holes_to = to;
	__sync_fetch_and_add(&flow->hole_bytes, to - from);
	__sync_fetch_and_add(&fwp_counters.holes, 1);
	__sync_fetch_and_add(&fwp_counters.hole_bytes, to - from);
}

/* The event is there before the packet is changed: what TCP gets is always told of. @returns the verdict on the packet */
static __always_inline int fill_hole(struct __sk_buff *skb, struct fwp_flow *flow, struct packet *packet, const struct segment *segment,
	__u64 expected, __u64 from)
{
	__u64 to = segment->from;
	struct fwp_event *event = bpf_ringbuf_reserve(&fwp_events, sizeof(*event), 0);
	if (!event)
		__sync_fetch_and_add(&fwp_counters.no_room, 1);
	bool is_ours = __sync_val_compare_and_swap(&flow->expected, expected, segment->to) == expected;
	if (!event)
		return GO_ON;
	enum filled filled = is_ours ? fill(skb, packet, to - from) : UNCHANGED;
	if (filled != FILLED) {
		bpf_ringbuf_discard(event, BPF_RB_NO_WAKEUP);
		return filled == SPOILT ? DROP : GO_ON;
	}
	*event = (struct fwp_event){ .kind = EVENT_HOLE, .flow = segment->flow, .offset = from, .bytes = to - from };
	bpf_ringbuf_submit(event, BPF_RB_NO_WAKEUP);
	count_filled(flow, from, to);
	return GO_ON;
}

/* Something before a segment is missing. @returns the verdict on the packet */
static __always_inline int reveal(struct __sk_buff *skb, struct fwp_flow *flow, struct packet *packet, const struct segment *segment,
	__u64 expected, __u32 now_ms, __u32 rtt_ms)
{
	__u64 from = missing_from(skb, flow, packet, segment, expected);
	if (from == UNKNOWN)
		return GO_ON;
	bool fills = false;
	if (from < segment->from && rtt_ms <= LONGEST_RTT_MS && flow->segment_bytes) {
		__u32 lost = (segment->from - from + flow->segment_bytes - 1) / flow->segment_bytes;
		if (segments_lost(&flow->loss, now_ms, rtt_ms, lost))
			__sync_fetch_and_add(&fwp_counters.congested, 1);
		fills = !is_inhibited(&flow->loss, now_ms) && may_fill(skb, flow, packet, from, segment->from, now_ms);
	}
	if (fills)
		return fill_hole(skb, flow, packet, segment, expected, from);
	/* TCP sees it, and has it sent again */
	__sync_val_compare_and_swap(&flow->expected, expected, segment->to);
	return GO_ON;
}

/* Without timestamps there is no round trip, no sign of a queue, and no placeholder. @returns it, or more than LONGEST_RTT_MS */
static __always_inline __u32 round_trip(const struct fwp_flow *flow, const struct segment *segment, __u32 now_ms)
{
	return segment->has_timestamps ? now_ms + flow->clock - segment->echo : ~0u;
}

static __always_inline int incoming_segment(struct __sk_buff *skb, struct fwp_flow *flow, struct packet *packet, __u32 number)
{
	struct segment segment = { .flow = number };
	/* how many segments were merged not every device says (virtio), but how long they were */
	__u32 bytes = packet->end - packet->payload, size = skb->gso_size, segments = size && size < bytes ? (bytes + size - 1) / size : 1;
	read_segment(skb, packet, &segment);
	__u32 now_ms = bpf_ktime_get_ns() / NS_PER_MS, rtt_ms = round_trip(flow, &segment, now_ms);
	if (is_marked(skb, packet)) {
		if (!is_inhibited(&flow->loss, now_ms))
			__sync_fetch_and_add(&fwp_counters.congested, 1);
		inhibit(&flow->loss, now_ms, rtt_ms <= LONGEST_RTT_MS ? rtt_ms : LONGEST_RTT_MS);
	}
	if (rtt_ms <= LONGEST_RTT_MS)
		segments_came(&flow->loss, now_ms, rtt_ms, segments);
	__u32 segment_bytes = segments > 1 ? size : bytes;
	if (segment_bytes > flow->segment_bytes)
		flow->segment_bytes = segment_bytes;
	__u64 expected = advance(flow, &segment, packet);
	if (segment.from > expected)
		return reveal(skb, flow, packet, &segment, expected, now_ms, rtt_ms);
	if (segment.from < expected)
		tell_late(skb, flow, packet, &segment);
	return GO_ON;
}

/* The flow's own first segment comes again where its answer was lost, or where this host's was copied: copies are answered, too. */
static __always_inline bool begins_another(const struct fwp_flow *flow, const struct packet *packet)
{
	return (packet->flags & TCP_SYN) && packet->sequence + 1 != flow->base;
}

static __always_inline int incoming(struct __sk_buff *skb, __u32 mac_bytes)
{
	struct packet packet = { .network = mac_bytes };
	if (!parse_incoming(skb, &packet))
		return GO_ON;
	turn_ends(&packet);
	struct fwp_flow *flow = bpf_map_lookup_elem(&fwp_flows, &packet.key);
	if (!flow)
		return GO_ON;
	/* read first: when the daemon ends the flow meanwhile, its entry may be another one's at once, which knows nothing of this stream */
	__u32 number = *(const volatile __u32 *)&flow->number;
	if (flow->ifindex != skb->ifindex)
		return GO_ON;
	if ((packet.flags & TCP_URG) || begins_another(flow, &packet))
		flow->is_closed = true;
	bool is_empty = packet.payload == packet.end && !(packet.flags & TCP_FIN);
	if (flow->is_closed || is_empty || (packet.flags & (TCP_SYN | TCP_RST)) || !(packet.flags & TCP_ACK))
		return GO_ON;
	return incoming_segment(skb, flow, &packet, number);
}

SEC("tc") int incoming_ethernet(struct __sk_buff *skb) { return incoming(skb, ETH_HLEN); }
/* Interfaces without a link-layer header: TUN, PPP, most cellular modems. */
SEC("tc") int incoming_ip(struct __sk_buff *skb) { return incoming(skb, 0); }

/* Never attached: the daemon runs it to ask for TCP's state of a flow, in place. */
SEC("tc") int look_at(struct __sk_buff *skb)
{
	struct fwp_state *state = (void *)(long)skb->data;
	if ((void *)(state + 1) > (void *)(long)skb->data_end)
		return GONE;
	struct bpf_sock *sk = look_up_socket(skb, &state->key);
	if (!sk)
		return GONE;
	struct tcp_sock *tcp = sk->state != BPF_TCP_LISTEN ? bpf_skc_to_tcp_sock(sk) : NULL;
	struct bpf_tcp_sock *known = bpf_tcp_sock(sk);
	if (tcp && known) {
		state->received = tcp->bytes_received;
		state->base = tcp->rcv_nxt - (__u32)tcp->bytes_received; /* not of one moment: the daemon asks until it stays */
		state->clock = tcp->tsoffset;
		state->least_rtt_us = known->rtt_min;
		state->recent = tcp->rx_opt.ts_recent;
		state->is_below = !!tcp->inet_conn.icsk_ulp_ops;
	}
	int found = tcp && known ? THERE : GONE;
	bpf_sk_release(sk);
	return found;
}

char _license[] SEC("license") = "Dual MIT/GPL";
