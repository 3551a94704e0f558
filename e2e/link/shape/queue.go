package shape

// queue is the drop-tail queue before the rate server. It holds the packets that wait; the one in service is not counted, as in a
// driver's queue (and a limit of zero bytes would still pass a packet when the server idles).
type queue struct {
	limitBytes, limitPackets int // 0: not limited in this unit
	waiting                  []waiter
	bytes                    int
}

type waiter struct {
	startNs   int64 // when the server takes it
	sizeBytes int
}

// leave removes the packets the server has taken by now.
func (q *queue) leave(nowNs int64) {
	taken := 0
	for taken < len(q.waiting) && q.waiting[taken].startNs <= nowNs {
		q.bytes -= q.waiting[taken].sizeBytes
		taken++
	}
	q.waiting = q.waiting[taken:]
}

// admits says whether a packet may wait.
func (q *queue) admits(sizeBytes int) bool {
	if q.limitPackets > 0 {
		return len(q.waiting) < q.limitPackets
	}
	return q.bytes+sizeBytes <= q.limitBytes
}

func (q *queue) enter(startNs int64, sizeBytes int) {
	q.waiting = append(q.waiting, waiter{startNs, sizeBytes})
	q.bytes += sizeBytes
}
