package capture

// shelf is a storage area with memory behind it: what the area refuses is kept
// for the life of the page, and nobody hears of it.
type shelf struct {
	area   Area
	memory map[string]string
}

func (s shelf) get(key string) string {
	if v, ok := s.memory[key]; ok {
		return v
	}
	return s.area.Get(key)
}

func (s shelf) set(key, value string) {
	if s.area.Set(key, value) {
		delete(s.memory, key)
		return
	}
	s.memory[key] = value
}

func (s shelf) remove(key string) {
	delete(s.memory, key)
	s.area.Remove(key)
}

// keys are the distinct keys that begin with prefix, sorted.
func (s shelf) keys(prefix string) []string {
	var found []string
	for _, key := range s.area.Keys() {
		if _, twice := s.memory[key]; !twice && hasPrefix(key, prefix) {
			found = append(found, key)
		}
	}
	for key := range s.memory {
		if hasPrefix(key, prefix) {
			found = append(found, key)
		}
	}
	sortStrings(found)
	return found
}
