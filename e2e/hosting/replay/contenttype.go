package replay

import (
	"net/http"
	"path"
	"strings"
)

// extensionTypes are the types of files that content alone does not tell apart.
var extensionTypes = map[string]string{
	".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json",
	".svg": "image/svg+xml", ".xml": "application/xml", ".html": "text/html", ".htm": "text/html",
	".woff": "font/woff", ".woff2": "font/woff2", ".ttf": "font/ttf", ".otf": "font/otf",
}

// contentType answers the recorded type, or the best guess: by extension, else by content as browsers do.
func contentType(recorded, urlPath string, body []byte) string {
	if recorded != "" {
		return recorded
	}
	if known, ok := extensionTypes[strings.ToLower(path.Ext(urlPath))]; ok {
		return known
	}
	return http.DetectContentType(body)
}

// mediaType is a content type without its parameters, in lower case.
func mediaType(contentType string) string {
	essence, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(essence))
}

// isText says whether servers compress this type: text, and what is text under another name. Images and fonts carry their own compression.
func isText(contentType string) bool {
	essence := mediaType(contentType)
	switch essence {
	case "application/javascript", "application/x-javascript", "application/ecmascript", "application/json", "application/xml":
		return true
	}
	return strings.HasPrefix(essence, "text/") || strings.HasSuffix(essence, "+xml") || strings.HasSuffix(essence, "+json")
}

func isDocument(contentType string) bool {
	essence := mediaType(contentType)
	return essence == "text/html" || essence == "application/xhtml+xml"
}
