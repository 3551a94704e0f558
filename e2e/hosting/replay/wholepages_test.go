package replay

import (
	"path/filepath"
	"testing"
)

// Every page must load, and each of its objects must be found under its own URL.
func TestWholePagesLoad(t *testing.T) {
	for name, pattern := range map[string]string{
		// Other people's pages stay outside of the project.
		"recorded pages beside the project":      "../../../../shared/pages/*/*.warc.gz",
		"demo pages, from e2e/pages/generate.ts": "../../../build/pages/*.warc.gz",
	} {
		t.Run(name, func(t *testing.T) {
			paths, err := filepath.Glob(pattern)
			if err != nil || len(paths) == 0 {
				t.Skipf("there are no %s", name)
			}
			for _, path := range paths {
				checkPage(t, path)
			}
		})
	}
}

func checkPage(t *testing.T, path string) {
	t.Helper()
	page, err := Load(path, ProtocolRecorded)
	if err != nil {
		t.Error(err)
		return
	}
	for _, object := range page.Objects {
		address, _ := ParseAddress(object.URL)
		if found, match := page.index.find(address); found != object || match != MatchExact {
			t.Errorf("%s: %s is found as %s", page.Name, object.URL, match)
		}
	}
}
