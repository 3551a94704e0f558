package wifi

import (
	"bytes"
	"encoding/json"
)

// Record is what is to be put back, written down before it is changed.
type Record struct {
	Interface string `json:"interface"` // its name then
	Device    uint64 `json:"device"`    // see nl80211.Interface
	// Set is what goes without acknowledgement, and Before what did so before.
	Set    Identifiers `json:"set"`
	Before Identifiers `json:"before"`
}

func parseRecord(text []byte) (r Record, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return r, decoder.Decode(&r)
}
