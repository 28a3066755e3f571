package httpapi

// known are the keys of our own bodies, each with the bit that stands for it, so
// that an ordinary body costs no memory for its keys. The case of a key counts.
var known = func() map[string]name {
	table := map[string]name{}
	for i, text := range []string{
		"sent_at", "session", "events", "id", "at", "kind", "url", "title", "referrer", "props",
		"form", "identity", "fields", "email", "name", "phone", "visitor_key",
		"keep_shared", "lead_id", "lead_status", "destination", "token", "claim",
	} {
		table[text] = name{text: text, bit: 1 << i}
	}
	return table
}()

type name struct {
	text string
	bit  uint32
}

// names are the keys that one object has had so far.
type names struct {
	known uint32
	other map[string]struct{}
}

// note reads a key from its JSON text; again says that it was noted before.
func (n *names) note(raw []byte) (text string, again bool) {
	inside := raw[1 : len(raw)-1]
	if found, ok := known[string(inside)]; ok {
		return n.mark(found)
	}
	text = unquote(raw)
	if found, ok := known[text]; ok {
		return n.mark(found)
	}
	if _, again = n.other[text]; again {
		return text, true
	}
	if n.other == nil {
		n.other = map[string]struct{}{}
	}
	n.other[text] = struct{}{}
	return text, false
}

func (n *names) mark(found name) (text string, again bool) {
	again = n.known&found.bit != 0
	n.known |= found.bit
	return found.text, again
}
