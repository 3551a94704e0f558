// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/* What the driver does with packets, at the egress hook (tcx, or clsact on kernels before 6.6) of each interface, and with sockets (sockets.h). */
#include "registration.h"
#include "sockets.h"
#include "thin.h"

#define GO_ON (-1) /* TCX_NEXT and TC_ACT_UNSPEC: whatever else is attached decides */

/* Set before the program is loaded: of packets that the driver sends itself. */
volatile const __u32 own_mark;

/* Bytes that left by an interface, registered or not: what the model of its link is busy with. Interfaces whose numbers share an entry only look busier. */
#define INTERFACES 64
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, INTERFACES);
	__type(key, __u32);
	__type(value, __u64);
} sent_bytes SEC(".maps");

static __always_inline void count_bytes(struct __sk_buff *skb)
{
	__u32 entry = skb->ifindex % INTERFACES;
	__u64 *bytes = bpf_map_lookup_elem(&sent_bytes, &entry);
	if (bytes)
		*bytes += skb->len;
}

static __always_inline bool before(__u32 a, __u32 b)
{
	return (__s32)(a - b) < 0;
}

/* Of a socket, or, where `tcp` is NULL, of a request that a listener answers. */
static __always_inline bool is_thin(const struct packet *packet, const struct bpf_tcp_sock *tcp, __u32 end)
{
	/* a first segment with data (TCP Fast Open, RFC 7413 section 6.1.1) may be acted on twice by the peer */
	if (packet->flags & TCP_SYN)
		return packet->payload == packet->end;
	/* with PSH or without: which segments make one message the daemon finds out (internal/rar/open.go) */
	return tcp && packet->payload < packet->end && end - tcp->snd_una <= THIN_BYTES;
}

static __always_inline void outgoing_tcp(struct __sk_buff *skb, struct bpf_sock *sk, struct known *known,
	const struct packet *packet)
{
	__u32 end = packet->sequence + (packet->end - packet->payload) + !!(packet->flags & TCP_SYN) + !!(packet->flags & TCP_FIN);
	struct bpf_tcp_sock *tcp = NULL;
	sk = bpf_sk_fullsock(sk);
	if (sk) {
		if (!known)
			known = find_out(skb, sk, packet);
		tcp = bpf_tcp_sock(sk);
		if (!known || !tcp || !(known->policy & POLICY_RAR) || end == packet->sequence)
			return;
		if (before(packet->sequence, known->sent)) {
			if (known->ifindex == skb->ifindex)
				__sync_fetch_and_add(&counters.retransmitted, 1);
			return;
		}
		known->sent = end;
		known->ifindex = skb->ifindex;
	} else {
		__u32 policy = packet->flags & TCP_SYN ? find_policy(skb, &packet->key, NULL) : 0;
		if (!(policy & POLICY_RAR))
			return;
	}
	if (is_thin(packet, tcp, end))
		show_thin(skb, packet, tcp, end);
}

static __always_inline int outgoing(struct __sk_buff *skb, __u32 mac_bytes)
{
	if (skb->mark == own_mark)
		return GO_ON;
	count_bytes(skb);
	struct bpf_sock *sk = skb->sk;
	if (!sk) /* forwarded: of no process of this host */
		return GO_ON;
	struct known *known = bpf_sk_storage_get(&known_sockets, sk, NULL, 0);
	bool holds = still_holds(known, sk);
	struct packet packet = { .network = mac_bytes };
	if ((holds && !known->policy) || !parse(skb, &packet))
		return GO_ON;
	if (packet.key.protocol == IPPROTO_TCP)
		outgoing_tcp(skb, sk, holds ? known : NULL, &packet);
	else if (find_policy(skb, &packet.key, known) & POLICY_RAR)
		show_thin(skb, &packet, NULL, packet.sequence + 1);
	return GO_ON;
}

SEC("tc") int outgoing_ethernet(struct __sk_buff *skb) { return outgoing(skb, ETH_HLEN); }
/* Interfaces without a link-layer header: TUN, PPP, most cellular modems. */
SEC("tc") int outgoing_ip(struct __sk_buff *skb) { return outgoing(skb, 0); }
/* Never attached: the daemon runs it to ask how far a flow has come. */
SEC("tc") int look_up(struct __sk_buff *skb) { return answer(skb); }

char _license[] SEC("license") = "Dual MIT/GPL";
