package bunstore

import (
	"context"
	"fmt"
	"sync"

	"github.com/uptrace/bun"
)

// ids hands out ids from the counter of all tables, a block at a time. What a
// process did not use is lost, which harms nobody.
type ids struct {
	db    *bun.DB
	mu    sync.Mutex
	next  int64
	until int64
}

const idBlock = 512

// take reserves n ids and returns the first.
func (i *ids) take(ctx context.Context, n int64) (int64, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.next+n > i.until {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		size := max(n, idBlock)
		var until int64
		err := i.db.NewRaw("UPDATE ids SET next = next + ? RETURNING next", size).Scan(ctx, &until)
		if err != nil {
			return 0, fmt.Errorf("reserve ids: %w", err)
		}
		i.next, i.until = until-size, until
	}
	first := i.next
	i.next += n
	return first, nil
}
