package replay

import (
	"bytes"
	"strings"

	htmltoken "golang.org/x/net/html"
)

// subresourceAttributes name what a document loads by itself; the targets of <a>, <area> and <form> are navigations.
var subresourceAttributes = map[string]bool{"src": true, "srcset": true, "poster": true, "background": true, "data": true, "style": true}

// namesPlainSubresources says whether a text names an http: subresource of a recorded host, which a browser would block or upgrade by its
// own rules in a document loaded over TLS. In scripts and style sheets every link counts: what a script does with one is unknown.
func namesPlainSubresources(text []byte, document bool, isRecorded func(host string) bool) bool {
	if !document {
		return namesPlainHost(text, isRecorded)
	}
	tokens := htmltoken.NewTokenizer(bytes.NewReader(text))
	inCode := false // within <script> or <style>, whose text the tokenizer gives as it is
	for {
		switch kind := tokens.Next(); kind {
		case htmltoken.ErrorToken:
			return false
		case htmltoken.TextToken:
			if inCode && namesPlainHost(tokens.Raw(), isRecorded) {
				return true
			}
		case htmltoken.StartTagToken, htmltoken.SelfClosingTagToken:
			token := tokens.Token()
			inCode = token.Data == "script" || token.Data == "style"
			for _, attribute := range token.Attr {
				// <link> loads a style sheet, an icon or a preload; <base> decides about every relative link.
				loads := subresourceAttributes[attribute.Key] || attribute.Key == "href" && (loadsStyle(token) || token.Data == "base" || token.Data == "image" || token.Data == "use")
				if loads && namesPlainHost([]byte(attribute.Val), isRecorded) {
					return true
				}
			}
		case htmltoken.EndTagToken:
			inCode = false
		}
	}
}

func loadsStyle(token htmltoken.Token) bool {
	if token.Data != "link" {
		return false
	}
	for _, attribute := range token.Attr {
		if attribute.Key == "rel" {
			for _, relation := range strings.Fields(strings.ToLower(attribute.Val)) {
				switch relation {
				case "stylesheet", "icon", "preload", "modulepreload", "manifest", "apple-touch-icon":
					return true
				}
			}
		}
	}
	return false
}

func namesPlainHost(text []byte, isRecorded func(host string) bool) bool {
	for _, found := range link.FindAll(text, -1) {
		scheme, host, _ := strings.Cut(string(found), ":")
		if strings.EqualFold(scheme, "http") && isRecorded(strings.TrimRight(strings.ToLower(strings.TrimLeft(host, `\/`)), ".")) {
			return true
		}
	}
	return false
}
