package capture

import "unicode/utf8"

// What the standard library's strings and strconv would do, at the price of the
// WASM's budget: these few lines are a tenth of what those packages bring along.

func hasPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && s[:len(prefix)] == prefix
}

// find is the index of part in s, or -1.
func find(s, part string) int {
	for i := 0; i+len(part) <= len(s); i++ {
		if s[i:i+len(part)] == part {
			return i
		}
	}
	return -1
}

func contains(s, part string) bool { return find(s, part) >= 0 }

// before is what stands in front of the first mark, or all of s.
func before(s, mark string) string {
	if i := find(s, mark); i >= 0 {
		return s[:i]
	}
	return s
}

// decimal writes a number that is not negative.
func decimal(n int64) string {
	var digits [20]byte
	i := len(digits)
	for {
		i--
		digits[i] = byte('0' + n%10)
		if n /= 10; n <= 0 {
			return string(digits[i:])
		}
	}
}

// number reads the digits that s begins with.
func number(s string) int64 {
	n := int64(0)
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = n*10 + int64(s[i]-'0')
	}
	return n
}

// wellFormed puts U+FFFD where s is no UTF-8.
func wellFormed(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// sortStrings sorts by insertion: the few keys of a storage, mostly in order.
func sortStrings(s []string) {
	for i := range s {
		for j := i; j > 0 && s[j] < s[j-1]; j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
}

func lower(ch byte) byte {
	if ch >= 'A' && ch <= 'Z' {
		return ch + 'a' - 'A'
	}
	return ch
}

func lowered(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] = lower(b[i])
	}
	return string(b)
}

// isWord is what \w matches.
func isWord(ch byte) bool {
	ch = lower(ch)
	return ch == '_' || ch >= '0' && ch <= '9' || ch >= 'a' && ch <= 'z'
}
