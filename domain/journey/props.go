package journey

import (
	"encoding/json"
	"maps"
	"slices"
)

// The bounds of an event's props, in bytes, keys of one object, and levels of
// objects and arrays (the props themselves are the first).
const (
	maxProps     = 4096
	maxPropKey   = 64
	maxPropValue = 512
	maxPropKeys  = 32
	maxPropDepth = 4
	maxDigits    = 64
)

// propsJSON gives props as a compact JSON object with sorted keys and without
// HTML escapes, "" when nothing is left. Keys and strings are scrubbed. What is
// over a bound is left out, never the rest: a key that is too long, a value that
// is nested too deep or is no JSON, the keys past the thirty-second, and of the
// whole the last keys until it fits. A string is cut. When two keys become
// equal, the first in the order of the raw keys counts.
func propsJSON(props map[string]any) string {
	if len(props) == 0 {
		return ""
	}
	clean := scrubKeys(props)
	out := append(make([]byte, 0, 256), '{')
	for _, key := range slices.Sorted(maps.Keys(clean)) {
		before := len(out)
		written, ok := appendMember(out, key, clean[key], 1)
		if !ok {
			out = written[:before]
			continue
		}
		if len(written)+len("}") > maxProps {
			out = written[:before]
			break
		}
		out = written
	}
	if len(out) == 1 {
		return ""
	}
	return string(append(out, '}'))
}

// scrubKeys gives the members of an object under their stored keys.
func scrubKeys(object map[string]any) map[string]any {
	clean := make(map[string]any, min(len(object), maxPropKeys))
	for _, raw := range slices.Sorted(maps.Keys(object)) {
		key := RedactEmails(Clean(raw))
		if _, taken := clean[key]; taken || len(key) > maxPropKey {
			continue
		}
		if len(clean) == maxPropKeys {
			break
		}
		clean[key] = object[raw]
	}
	return clean
}

// appendMember appends a key and its value to an object begun in out.
func appendMember(out []byte, key string, value any, depth int) ([]byte, bool) {
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	out = appendString(out, key)
	out = append(out, ':')
	return appendValue(out, value, depth)
}

// appendValue appends a value that stands in a container of that depth; ok is
// false when it cannot be kept, and what was appended is then junk.
func appendValue(out []byte, value any, depth int) ([]byte, bool) {
	switch v := value.(type) {
	case nil:
		return append(out, "null"...), true
	case bool:
		if v {
			return append(out, "true"...), true
		}
		return append(out, "false"...), true
	case string:
		return appendString(out, scrub(v, maxPropValue)), true
	case json.Number:
		ok := len(v) <= maxDigits && v != "" && (v[0] == '-' || '0' <= v[0] && v[0] <= '9') && json.Valid([]byte(v))
		return append(out, v...), ok
	case []any:
		return appendArray(out, v, depth+1)
	case map[string]any:
		return appendObject(out, v, depth+1)
	}
	return out, false
}

func appendArray(out []byte, array []any, depth int) ([]byte, bool) {
	if depth > maxPropDepth {
		return out, false
	}
	out = append(out, '[')
	for _, value := range array {
		before := len(out)
		if out[before-1] != '[' {
			out = append(out, ',')
		}
		written, ok := appendValue(out, value, depth)
		if !ok {
			written = written[:before]
		}
		if out = written; len(out) > maxProps {
			break // too long as a whole, which propsJSON sees
		}
	}
	return append(out, ']'), true
}

func appendObject(out []byte, object map[string]any, depth int) ([]byte, bool) {
	if depth > maxPropDepth {
		return out, false
	}
	out = append(out, '{')
	clean := scrubKeys(object)
	for _, key := range slices.Sorted(maps.Keys(clean)) {
		before := len(out)
		written, ok := appendMember(out, key, clean[key], depth)
		if !ok {
			written = written[:before]
		}
		if out = written; len(out) > maxProps {
			break
		}
	}
	return append(out, '}'), true
}

// appendString appends valid UTF-8 as a JSON string, escaping what must be.
func appendString(out []byte, text string) []byte {
	const digits = "0123456789abcdef"
	out = append(out, '"')
	for i := range len(text) {
		switch b := text[i]; {
		case b == '"', b == '\\':
			out = append(out, '\\', b)
		case b >= ' ':
			out = append(out, b)
		case b == '\n':
			out = append(out, '\\', 'n')
		case b == '\t':
			out = append(out, '\\', 't')
		case b == '\r':
			out = append(out, '\\', 'r')
		default:
			out = append(out, '\\', 'u', '0', '0', digits[b>>4], digits[b&15])
		}
	}
	return append(out, '"')
}
