package replay

import (
	"bytes"
	"regexp"
	"strings"
)

// link finds the scheme and host of absolute URLs in text of any ASCII-compatible charset, also as JSON and script strings write them ("https:\/\/").
var link = regexp.MustCompile(`https?:(?:\\?/){2}[A-Za-z0-9.-]+`)

// integrity finds hashes (Subresource Integrity) of files whose links were rewritten and that no longer fit.
var integrity = regexp.MustCompile(`(?i)\sintegrity=(?:"[^"]*"|'[^']*')`)

// upgrade is the policy, wherever it is written, that would turn rewritten links back.
var upgrade = regexp.MustCompile(`(?i)upgrade-insecure-requests|block-all-mixed-content`)

// rewriteLinks gives links to recorded hosts another scheme and leaves all others alone.
func rewriteLinks(text []byte, scheme string, isRecorded func(host string) bool) []byte {
	return link.ReplaceAllFunc(text, func(found []byte) []byte {
		at := bytes.IndexByte(found, ':')
		host := strings.TrimRight(strings.ToLower(string(bytes.TrimLeft(found[at+1:], `\/`))), ".")
		if !isRecorded(host) {
			return found
		}
		return append([]byte(scheme), found[at:]...)
	})
}

// toPlainHTTP rewrites a text body so that a page recorded over https works when entered over http.
func toPlainHTTP(body []byte, document bool, isRecorded func(host string) bool) []byte {
	body = rewriteLinks(body, "http", isRecorded)
	if document {
		body = integrity.ReplaceAll(body, nil)
		body = upgrade.ReplaceAll(body, nil)
	}
	return body
}
