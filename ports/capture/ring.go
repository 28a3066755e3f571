package capture

import (
	"slices"

	"continuity/domain/identity"
)

// ring holds the keys of one request beside their hashes: the Store knows hashes
// only, the answer needs the key that one of them stands for.
type ring struct {
	keys   []identity.Key
	hashes []identity.KeyHash
	sent   int // how many of them the browser sent
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

// add remembers a key that we drew ourselves. It is asked for like the others: if a
// commit went through whose answer never reached the Store, the repetition finds
// the device that it made.
func (r *ring) add(key identity.Key) identity.KeyHash {
	hash := key.Hash()
	r.keys, r.hashes = append(r.keys, key), append(r.hashes, hash)
	return hash
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
