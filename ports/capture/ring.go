package capture

import (
	"slices"

	"continuity/domain/identity"
)

// ring holds the keys of one request beside their hashes: the Store knows hashes
// only, the answer needs the key that one of them stands for.
type ring struct {
	keys   []identity.Key
	hashes []identity.KeyHash // of the keys that were sent
	sent   int
}

func newRing(sent []identity.Key) *ring {
	r := &ring{}
	for _, key := range sent {
		if len(r.hashes) == mostKeys {
			break
		}
		hash := key.Hash()
		if !slices.Contains(r.hashes, hash) {
			r.keys, r.hashes = append(r.keys, key), append(r.hashes, hash)
		}
	}
	r.sent = len(r.hashes)
	return r
}

// add remembers a key that we drew ourselves; it is not among the hashes asked for.
func (r *ring) add(key identity.Key) identity.KeyHash {
	r.keys = append(r.keys, key)
	return key.Hash()
}

// answer tells which key to set. A sent key that nothing stands for is dead.
func (r *ring) answer(change identity.Change, skipped int) Answer {
	answer := Answer{Skipped: skipped}
	for i := range r.keys {
		if r.keys[i].Hash() == change.Stamp {
			answer.Issue, answer.Stored = &r.keys[i], true
		}
	}
	answer.Expire = answer.Issue == nil && r.sent > 0
	return answer
}
