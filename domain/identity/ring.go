package identity

import "slices"

// mostKeys bounds how many cookies of the name are looked up.
const mostKeys = 8

// Ring holds the keys of one request beside their hashes: a store knows hashes
// only, and the answer needs the key that one of them stands for.
type Ring struct {
	keys   []Key
	hashes []KeyHash
	sent   int // how many of them the browser sent
}

// NewRing takes the keys that were sent, in that order: each once, and not more
// than anybody has a use for.
func NewRing(sent []Key) *Ring {
	r := &Ring{}
	for _, key := range sent {
		if len(r.hashes) == mostKeys {
			break
		}
		if !slices.Contains(r.hashes, key.Hash()) {
			r.Add(key)
		}
	}
	r.sent = len(r.hashes)
	return r
}

// Add remembers a key that we drew ourselves. It is asked for like the others: if a
// commit went through whose answer never reached the store, the repetition finds
// the device that it made.
func (r *Ring) Add(key Key) KeyHash {
	hash := key.Hash()
	r.keys, r.hashes = append(r.keys, key), append(r.hashes, hash)
	return hash
}

// Hashes are what a store may be asked for.
func (r *Ring) Hashes() []KeyHash { return r.hashes }

// Answer tells which key to set, nil for none, and whether a key that was sent is dead.
func (r *Ring) Answer(change Change) (issue *Key, expire bool) {
	for i := range r.keys {
		if r.hashes[i] == change.Stamp {
			issue = &r.keys[i]
		}
	}
	return issue, issue == nil && r.sent > 0
}
