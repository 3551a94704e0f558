package replay

import (
	"path/filepath"
	"testing"
)

// The recorded pages stay outside of the project; where they are, all must load, and each object must be found under its own URL.
func TestRecordedPagesLoad(t *testing.T) {
	paths, err := filepath.Glob("../../../../shared/pages/*/*.warc.gz")
	if err != nil || len(paths) == 0 {
		t.Skip("no recorded pages beside the project")
	}
	for _, path := range paths {
		page, err := Load(path, ProtocolRecorded)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, object := range page.Objects {
			address, _ := ParseAddress(object.URL)
			if found, match := page.index.find(address); found != object || match != MatchExact {
				t.Errorf("%s: %s is found as %s", page.Name, object.URL, match)
			}
		}
	}
}
