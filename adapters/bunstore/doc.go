// Package bunstore keeps every port's Store in SQLite or in Postgres, through bun:
// one body of code, and what differs in sqlite.go and postgres.go.
//
// Decisions taken here:
//
//   - A batch of asks is loaded into a view, decided in memory in order of arrival,
//     each decision seeing what the one before it changed, and written by a few bulk
//     statements. A single ask is a batch of one.
//   - Locks are taken in one order everywhere: the keys of leads, anchors by id,
//     leads by id. What is read is read after the lock.
//   - Ids come from one counter in blocks, before the transaction: no statement has
//     to return the id of a row that it inserted, which bun maps by position and so
//     gets wrong when a row conflicts.
//   - Bulk inserts that may conflict say DO NOTHING and are sorted by their key.
//   - The modernc driver needs no cgo; it ran at 0.86 to 0.99 of the cgo one.
package bunstore
