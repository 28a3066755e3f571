package journey

// Weight is about how much memory events hold, in bytes.
func Weight(events []Event) int {
	const bare = 256 // the value itself
	total := 0
	for i := range events {
		e := &events[i]
		total += bare + len(e.ID) + len(e.Session) + len(e.Kind) + len(e.URL) + len(e.Title) + len(e.Referrer) +
			len(e.Campaign) + len(e.Props)
	}
	return total
}
