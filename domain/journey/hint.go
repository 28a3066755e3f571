package journey

// mayHideAddress is a cheap look: false means that text holds no @ at any depth
// of encoding, and need not be unfolded.
func mayHideAddress(text string) bool {
	for i := range len(text) {
		switch text[i] {
		case '@', '\\':
			return true
		case '%':
			if i+2 < len(text) && hides(hexValue(text[i+1]), hexValue(text[i+2])) {
				return true
			}
		case '&':
			if startsEntity(text[i+1:]) {
				return true
			}
		case 0xEF:
			if i+1 < len(text) && (text[i+1] == 0xBC || text[i+1] == 0xB9 || text[i+1] == '%') {
				return true
			}
		}
	}
	return false
}

// hides reports an escaped byte that is an @, part of a wide one, or part of a
// further escape.
func hides(high, low int) bool {
	if high < 0 || low < 0 {
		return false
	}
	switch b := byte(high<<4 | low); b {
	case '@', '%', '&', '\\', '0', '4', 0xEF, 0xBC, 0xB9:
		return true
	}
	return false
}

// startsEntity reports that what follows an & may be an entity, and is not the
// next name in a query.
func startsEntity(rest string) bool {
	for i := range min(len(rest), maxEntity) {
		switch rest[i] {
		case ';', '%', '\\':
			return true
		case '=', '&', ' ':
			return false
		}
	}
	return false
}
