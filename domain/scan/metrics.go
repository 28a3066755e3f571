package scan

import "time"

// Row is a scan as a report reads it.
type Row struct {
	Visitor  int64 // stands for one visitor; zero for an excluded row
	At       time.Time
	First    bool // the visitor's first scan of the tree
	Excluded Exclusion
}

// Counts are the numbers of one tree in one stretch of time.
type Counts struct {
	Total     int // scans by people; with folding, less the refreshes
	Unique    int // distinct visitors among them
	New       int // distinct visitors whose first scan of the tree is here
	Returning int // distinct visitors with a later scan of the tree here
	Excluded  map[Exclusion]int
	AllRows   int // every row, refreshes and excluded ones among them
}

// Repeated is total less unique (R12).
func (c Counts) Repeated() int { return c.Total - c.Unique }

// Day is a day of a zone's calendar.
type Day struct {
	Day string // 2026-10-25
	Counts
}

// Metrics are the counts of one tree in a range, and of each of its days.
type Metrics struct {
	Tree TreeID
	Counts
	Days []Day
}

// Tally counts the rows of one tree. They are to be added ordered by visitor, and
// those of one visitor by time.
type Tally struct {
	of    Range
	whole tallied
	days  map[int]*tallied // by number of day

	visitor  int64
	previous time.Time // when the visitor's row before was, folded or not
}

// tallied are the counts of one stretch, and who of its visitors is counted.
type tallied struct {
	Counts
	unique, returning int64 // the last visitor that was counted as such
}

// NewTally begins to count.
func NewTally(of Range) *Tally {
	return &Tally{of: of, days: map[int]*tallied{}}
}

// Add counts a row. One from before the range, as of Range.Since, is only looked at
// for what it makes a refresh of.
func (t *Tally) Add(row Row) {
	follows := row.Visitor == t.visitor && t.of.folds(row.At.Sub(t.previous))
	t.visitor, t.previous = row.Visitor, row.At
	if !t.of.holds(row.At) {
		return
	}
	t.whole.add(row, follows)
	t.day(row.At).add(row, follows)
}

// day is the day of an instant.
func (t *Tally) day(at time.Time) *tallied {
	number := dayNumber(at.In(t.of.Zone))
	day := t.days[number]
	if day == nil {
		day = &tallied{}
		t.days[number] = day
	}
	return day
}

func (t *tallied) add(row Row, refresh bool) {
	t.AllRows++
	switch {
	case row.Excluded != "":
		if t.Excluded == nil {
			t.Excluded = map[Exclusion]int{}
		}
		t.Excluded[row.Excluded]++
		return
	case refresh:
		return
	}
	t.Total++
	if t.unique != row.Visitor {
		t.unique = row.Visitor
		t.Unique++
	}
	switch {
	case row.First:
		t.New++
	case t.returning != row.Visitor:
		t.returning = row.Visitor
		t.Returning++
	}
}

// Metrics is what was counted, with every day from the first to the last.
func (t *Tally) Metrics(tree TreeID) Metrics {
	m := Metrics{Tree: tree, Counts: t.whole.Counts, Days: []Day{}}
	first, last, any := t.span()
	for number := first; any && number <= last; number++ {
		day := Day{Day: dayName(number)}
		if counted := t.days[number]; counted != nil {
			day.Counts = counted.Counts
		}
		m.Days = append(m.Days, day)
	}
	return m
}

// span is the first and the last day of the range or, where it is open, of the rows.
func (t *Tally) span() (first, last int, any bool) {
	for number := range t.days {
		if !any || number < first {
			first = number
		}
		if !any || number > last {
			last = number
		}
		any = true
	}
	if t.of.From.IsZero() || t.of.To.IsZero() {
		return first, last, any
	}
	return dayNumber(t.of.From.In(t.of.Zone)), dayNumber(t.of.To.Add(-time.Millisecond).In(t.of.Zone)), true
}

// dayNumber counts the days of the calendar that an instant shows in its zone.
func dayNumber(at time.Time) int {
	year, month, day := at.Date()
	return int(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / secondsADay)
}

func dayName(number int) string {
	return time.Unix(int64(number)*secondsADay, 0).UTC().Format(time.DateOnly)
}

const secondsADay = 24 * 60 * 60
