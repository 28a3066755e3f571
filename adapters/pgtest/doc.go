// Package pgtest gives specs a real Postgres: a cluster of their own, in a fresh folder and on a free port of the
// loopback, that can be crashed and brought back. Nothing but specs imports it.
//
// Decisions:
//   - fsync stays on: what a spec calls stored has been stored. Only initdb runs without it.
//   - Postgres refuses to run as root, so root hands it to the user postgres, else to nobody.
//   - A guard process, not the parent-death signal, cleans up after specs that were killed: that signal belongs to
//     a thread rather than to a process, and it removes no folder.
//   - Databases are cloned from a template that was migrated once, with the default strategy (WAL_LOG since
//     Postgres 15), which is the faster one for schemas without data.
//   - Ports come from below the range that outgoing connections use, so that a Restart finds its own still free.
//   - The collation is C: it exists everywhere, and orders text by bytes, as SQLite does.
//   - Unix only.
package pgtest
