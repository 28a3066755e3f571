package app

import (
	"errors"
	"strings"

	"continuity/domain/handoff"
)

// destinations are the hosts that a handoff may name.
func (c Config) destinations() ([]handoff.Destination, error) {
	list := make([]handoff.Destination, len(c.Destinations))
	for i, text := range c.Destinations {
		destination, ok := handoff.ParseDestination(strings.TrimSpace(text))
		if !ok || destination == handoff.Verify {
			return nil, errors.New("must be hosts such as portal.example.org or localhost:8082, with commas between them")
		}
		list[i] = destination
	}
	if portal, ok := handoff.ParseDestination(c.DemoListen); ok && c.Demo {
		list = append(list, portal)
	}
	return list, nil
}
