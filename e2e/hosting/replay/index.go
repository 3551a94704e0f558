package replay

// Match says how a recorded object was found.
type Match string

const (
	// MatchExact: same host, path and query.
	MatchExact Match = "exact"
	// MatchVolatile: same host and path; the queries differ in volatile parameters, or one says more than the other.
	MatchVolatile Match = "volatile"
	// MatchNone: nothing recorded fits.
	MatchNone Match = "none"
)

// index finds objects by address. All that share host and path lie together, in recorded order.
type index map[place][]candidate

type place struct{ host, path string }

type candidate struct {
	query  string
	stable []parameter
	object *Object
}

// add enters an object. Of one address recorded several times the first stays, unless it was no success and the new one is. (Pages answer the first visit with a redirect that sets a cookie; served for ever, it would loop.)
func (x index) add(address Address, object *Object) {
	at := place{address.Host, address.Path}
	for i, c := range x[at] {
		if c.query != address.Query {
			continue
		}
		if c.object.Status/100 != 2 && object.Status/100 == 2 {
			x[at][i].object = object
		}
		return
	}
	x[at] = append(x[at], candidate{address.Query, stable(address.Query), object})
}

// find answers the object for an address. Among inexact candidates the one that shares most stable parameters wins, then the one with
// the fewest that are not shared, then the one recorded first.
func (x index) find(address Address) (*Object, Match) {
	candidates := x[place{address.Host, address.Path}]
	for _, c := range candidates {
		if c.query == address.Query {
			return c.object, MatchExact
		}
	}
	wanted := stable(address.Query)
	var best *Object
	bestShared, bestStrange := -1, 0
	for _, c := range candidates {
		shared, ok := overlap(wanted, c.stable)
		strange := len(wanted) + len(c.stable) - 2*shared
		if ok && (shared > bestShared || shared == bestShared && strange < bestStrange) {
			best, bestShared, bestStrange = c.object, shared, strange
		}
	}
	if best == nil {
		return nil, MatchNone
	}
	return best, MatchVolatile
}
