// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/* What the driver does with packets: at the traffic control hooks (tcx, or clsact on kernels before 6.6) of each interface. */
#include "acknowledge.h"
#include "counters.h"
#include "packet.h"
#include "registration.h"
#include "thin.h"
#include "track.h"

#define GO_ON (-1) /* TCX_NEXT and TC_ACT_UNSPEC: whatever else is attached decides */
#define DROP 2 /* TCX_DROP and TC_ACT_SHOT */

/* Where a flow is put together: the stack would do, were it not for what the verifier does not let be written there (flow.h). */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct flow);
} flow_scratch SEC(".maps");

static __always_inline struct flow *begin_flow(struct __sk_buff *skb, const struct packet *packet)
{
	__u32 at = registrations;
	struct registration *registration = registered(skb, &packet->key);
	if (!registration) {
		remember_unregistered(skb, at);
		return NULL;
	}
	__u32 zero = 0;
	struct flow *flow = bpf_map_lookup_elem(&flow_scratch, &zero);
	if (!flow)
		return NULL;
	*flow = (struct flow){
		.registration = *registration,
		.ifindex = skb->ifindex,
		.sent = packet->sequence,
		.acknowledged = packet->sequence,
		.acknowledgement = packet->acknowledgement,
	};
	if (bpf_map_update_elem(&flows, &packet->key, flow, BPF_ANY))
		return NULL;
	count(FLOWS_SEEN);
	return bpf_map_lookup_elem(&flows, &packet->key);
}

static __always_inline bool is_syn(const struct packet *packet)
{
	return packet->flags & TCP_SYN;
}

/* A message as a whole: the initial segment, or data pushed while nearly nothing else is on the way. */
static __always_inline bool is_thin(const struct packet *packet, const struct flow *flow, __u32 end)
{
	if (packet->key.protocol != IPPROTO_TCP || is_syn(packet))
		return true;
	return packet->payload_bytes && (packet->flags & TCP_PSH) && end - flow->acknowledged <= THIN_BYTES;
}

/* Behind the last byte of a packet; of one of DNS any other number than its first. */
static __always_inline __u32 end_of(const struct packet *packet)
{
	if (packet->key.protocol != IPPROTO_TCP)
		return packet->sequence + 1;
	return packet->sequence + packet->payload_bytes + !!(packet->flags & TCP_SYN) + !!(packet->flags & TCP_FIN);
}

static __always_inline int outgoing(struct __sk_buff *skb, __u16 mac_bytes)
{
	struct packet packet = {};
	if (skb->mark == own_mark || is_known_unregistered(skb) || !parse(skb, &packet, mac_bytes, OUTGOING))
		return GO_ON;
	struct flow *flow = bpf_map_lookup_elem(&flows, &packet.key);
	if (skb->mark == again_mark) {
		if (flow)
			track_sent_again(flow, end_of(&packet));
		return GO_ON;
	}
	/* of a port that is used again, or of a transaction: what is known is of another flow */
	if (flow && is_syn(&packet) && packet.sequence != flow->acknowledged)
		flow = NULL;
	if (!flow)
		flow = begin_flow(skb, &packet);
	if (!flow || flow->ifindex != skb->ifindex)
		return GO_ON;

	__u32 end = end_of(&packet);
	if (end != packet.sequence && track_sent(skb, &packet, flow, end) && (flow->registration.policy & POLICY_RAR) && is_thin(&packet, flow, end))
		show_thin(skb, &packet, flow, end);
	if ((flow->registration.policy & POLICY_AM) && packet.key.protocol == IPPROTO_TCP && !split_acknowledgement(skb, &packet, flow))
		return DROP;
	return GO_ON;
}

static __always_inline int incoming(struct __sk_buff *skb, __u16 mac_bytes)
{
	struct packet packet = {};
	if (!parse(skb, &packet, mac_bytes, INCOMING))
		return GO_ON;
	struct flow *flow = bpf_map_lookup_elem(&flows, &packet.key);
	if (!flow)
		return GO_ON;
	if (packet.key.protocol != IPPROTO_TCP) {
		track_acknowledged(skb, &packet, flow, flow->sent);
	} else if (packet.flags & TCP_ACK) {
		track_acknowledged(skb, &packet, flow, packet.acknowledgement);
		if (reports_duplicate(skb, &packet))
			flow->duplicates += 1;
	}
	return GO_ON;
}

SEC("tc") int outgoing_ethernet(struct __sk_buff *skb) { return outgoing(skb, ETH_HLEN); }
SEC("tc") int incoming_ethernet(struct __sk_buff *skb) { return incoming(skb, ETH_HLEN); }
/* Interfaces without a link-layer header: TUN, PPP, most cellular modems. */
SEC("tc") int outgoing_ip(struct __sk_buff *skb) { return outgoing(skb, 0); }
SEC("tc") int incoming_ip(struct __sk_buff *skb) { return incoming(skb, 0); }

char _license[] SEC("license") = "Dual MIT/GPL";
