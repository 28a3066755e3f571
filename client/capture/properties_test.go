package capture_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	. "github.com/onsi/gomega"

	"continuity/client/capture"
)

// properties does to a vector's properties what JSON.stringify does in a
// browser, every string cleaned on the way.
func properties(raw json.RawMessage) string {
	if raw == nil {
		return ""
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	return stringified(decoder)
}

func stringified(decoder *json.Decoder) string {
	token, err := decoder.Token()
	Expect(err).NotTo(HaveOccurred())
	switch value := token.(type) {
	case json.Delim:
		if value == '[' {
			return list(decoder)
		}
		return members(decoder)
	case string:
		return quoted(capture.Text(value))
	case json.Number:
		return value.String()
	case bool:
		return strconv.FormatBool(value)
	}
	return "null"
}

func list(decoder *json.Decoder) string {
	var out []byte
	for decoder.More() {
		out = append(append(out, ','), stringified(decoder)...)
	}
	_, err := decoder.Token()
	Expect(err).NotTo(HaveOccurred())
	return "[" + string(bytes.TrimPrefix(out, []byte(","))) + "]"
}

func members(decoder *json.Decoder) string {
	type member struct {
		index int
		json  string
	}
	var all []member
	for decoder.More() {
		key, err := decoder.Token()
		Expect(err).NotTo(HaveOccurred())
		index, err := strconv.Atoi(key.(string))
		if err != nil {
			index = 1 << 40
		}
		all = append(all, member{index, quoted(key.(string)) + ":" + stringified(decoder)})
	}
	_, err := decoder.Token()
	Expect(err).NotTo(HaveOccurred())
	slices.SortStableFunc(all, func(a, b member) int { return a.index - b.index })
	out := "{"
	for i, m := range all {
		if i > 0 {
			out += ","
		}
		out += m.json
	}
	return out + "}"
}

func quoted(s string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	Expect(encoder.Encode(s)).To(Succeed())
	raw := bytes.TrimSuffix(out.Bytes(), []byte("\n"))
	raw = bytes.ReplaceAll(raw, []byte(`\u2028`), []byte("\u2028"))
	return string(raw)
}
