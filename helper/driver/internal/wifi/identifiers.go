package wifi

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Identifiers are a set of traffic identifiers (TID, IEEE 802.11-2020, 9.2.4.5.2): bit n stands for TID n, as in NL80211_ATTR_NOACK_MAP.
// As text they are numbers with commas between them, or "none".
type Identifiers uint16

const (
	// Unmarked is what packets without a mark have (DSCP 0).
	Unmarked Identifiers = 1 << 0
	// voice has the handshakes of keys, too, without which an association ends.
	voice Identifiers = 1<<6 | 1<<7
)

const (
	none             = "none"
	identifierNumber = 16
)

func (i Identifiers) String() string {
	if i == 0 {
		return none
	}
	var numbers []string
	for rest := uint16(i); rest != 0; rest &= rest - 1 {
		numbers = append(numbers, strconv.Itoa(bits.TrailingZeros16(rest)))
	}
	return strings.Join(numbers, ",")
}

func (i Identifiers) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

func (i *Identifiers) UnmarshalText(text []byte) error {
	if *i = 0; string(text) == none {
		return nil
	}
	for word := range strings.SplitSeq(string(text), ",") {
		number, err := strconv.ParseUint(word, 10, 8)
		if err != nil || number >= identifierNumber {
			return fmt.Errorf("%q is no traffic identifier from 0 to %d", word, identifierNumber-1)
		}
		*i |= 1 << number
	}
	return nil
}
