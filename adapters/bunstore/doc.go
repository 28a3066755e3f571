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
//   - The modernc driver needs no cgo, so that the binary is static.
//   - Scans have one index, of tree, visitor, time and the two flags. It answers
//     whether a visitor was here before, and every report reads it alone, in the
//     order in which domain/scan counts without remembering visitors; a range is
//     filtered inside it. A report costs the rows of its trees. Of three million scans
//     of a thousand trees, on two busy cores: one tree (3,000 rows) 5 to 50 ms, a
//     page of a hundred trees 0.4 s on Postgres and 0.8 s on SQLite, all trees of one
//     week 2.3 s and 1 s, of all time 4 s and 8 s. Ten million take three times that.
//   - Codes that lead nowhere are counted for the first thousand, and together beyond:
//     whoever invents codes fills no disk.
package bunstore
