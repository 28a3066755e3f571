package capture

// isSecret knows by type, autocomplete, name or mark what must never leave the
// page, and the buttons, which say nothing.
func isSecret(k Control) bool {
	about := lowered(k.Type + " " + k.Autocomplete + k.Name + k.Mark)
	for _, kind := range []string{"hid", "fil", "sub", "but", "res", "ima"} {
		if hasPrefix(about, kind) {
			return true
		}
	}
	for _, word := range []string{"passw", "cc-", "card", "cvc", "cvv", "one-time", "ignore"} {
		if contains(about, word) {
			return true
		}
	}
	return false
}

// isCardNumber is 13 to 19 digits, each with at most a space or dash behind it.
func isCardNumber(value string) bool {
	digits, gap := 0, true
	for i := 0; i < len(value); i++ {
		switch ch := value[i]; {
		case ch >= '0' && ch <= '9':
			digits++
			gap = false
		case (ch == ' ' || ch == '-') && !gap:
			gap = true
		default:
			return false
		}
	}
	return digits >= 13 && digits <= 19
}

// roleOf tells what a control says about the person: by the site's own mark,
// else by autocomplete, type or name.
func roleOf(k Control) int {
	words := []string{k.Mark}
	if k.Mark == "" {
		words = []string{lastWord(k.Autocomplete), k.Type, k.Name}
	}
	for _, word := range words {
		switch plain(word) {
		case "email", "mail":
			return email
		case "name", "fullname":
			return full
		case "tel", "phone":
			return phone
		case "givenname", "firstname":
			return givenName
		case "familyname", "lastname":
			return familyName
		}
	}
	return roles
}

func lastWord(s string) string {
	for i := len(s); i > 0; i-- {
		if s[i-1] == ' ' {
			return s[i:]
		}
	}
	return s
}

// plain keeps the ASCII letters and digits of a word, in lower case.
func plain(word string) string {
	var b []byte
	for i := 0; i < len(word); i++ {
		if ch := lower(word[i]); ch != '_' && isWord(ch) {
			b = append(b, ch)
		}
	}
	return string(b)
}

// asJavaScriptOrders puts names that are array indices first, by number, as
// every object in JavaScript does.
func asJavaScriptOrders(fields []pair) []pair {
	var indices, rest []pair
	for _, f := range fields {
		if !isIndex(f.name) {
			rest = append(rest, f)
			continue
		}
		at := 0
		for at < len(indices) && smaller(indices[at].name, f.name) {
			at++
		}
		indices = append(indices[:at], append([]pair{f}, indices[at:]...)...)
	}
	return append(indices, rest...)
}

func smaller(a, b string) bool {
	return len(a) < len(b) || len(a) == len(b) && a < b
}

// isIndex is a number below 2^32-1 as JavaScript writes it.
func isIndex(key string) bool {
	if key == "" || len(key) > 10 || len(key) > 1 && key[0] == '0' || len(key) == 10 && key >= "4294967295" {
		return false
	}
	for i := 0; i < len(key); i++ {
		if key[i] < '0' || key[i] > '9' {
			return false
		}
	}
	return true
}
