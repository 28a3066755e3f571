package accesslog_test

import (
	"strings"
	"testing"

	"continuity/cmd/continuity/replay/accesslog"
)

// FuzzLine holds that no line of a log breaks the reader.
func FuzzLine(f *testing.F) {
	f.Add(`192.0.2.1 - - [01/May/2026:12:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "Mozilla/5.0"`)
	f.Add(`192.0.2.1 - - [x] "\x16\x03" 400 0`)
	f.Fuzz(func(_ *testing.T, line string) {
		_, _ = accesslog.Read(strings.NewReader(line))
	})
}
