package control

import (
	"sync"

	"firstscreen/driver/internal/fault"
)

// Of what the programs' maps hold for all (bpf/flow.h, bpf/fwp.h), so that no user takes it from the others.
const (
	maxTargetsOfUser = 256
	maxFlowsOfUser   = 128
)

// quota is what each user has taken of something, over all connections; the administrator may take all.
type quota struct {
	what  string
	most  int
	mutex sync.Mutex
	taken map[uint32]int
}

func newQuota(what string, most int) *quota {
	return &quota{what: what, most: most, taken: map[uint32]int{}}
}

func (q *quota) take(user uint32, count int) error {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if user != 0 && q.taken[user]+count > q.most {
		return fault.New(fault.Limit, nil, "end what is not needed", "Taking more than %d %s of one user", q.most, q.what)
	}
	q.taken[user] += count
	return nil
}

func (q *quota) give(user uint32, count int) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if q.taken[user] -= count; q.taken[user] == 0 {
		delete(q.taken, user)
	}
}
