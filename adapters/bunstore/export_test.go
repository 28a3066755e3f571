package bunstore

import "context"

// Number is what a query counts, for specs of what no port shows.
func (db *DB) Number(query string) (n int, err error) {
	err = db.read.NewRaw(query).Scan(context.Background(), &n)
	return n, err
}
