// Package app is the composition root: it reads the settings once, makes the
// adapters and the ports of them, and serves until it is told to stop. Nothing
// else reads the environment.
//
// Decisions taken here:
//
//   - Settings are checked whole before anything is opened, so that a service which
//     starts is a service as configured. A name with our prefix that we do not know is
//     a mistake, not somebody else's variable.
//   - Opening the database brings its schema up to date, for every command: a newer
//     binary over an older file just works, and commands may run before the service.
//   - Trusted proxies without a header, or a header without proxies, leave the peer the
//     client, which a warning at the start says: one is of no use without the other,
//     and guessing the header would let callers write it.
//   - The most events of a device is a rate like the others, a day's worth at once and
//     then as they come free. The service does not count what the database holds: that
//     would cost every append more than the limit saves.
//   - A relative SQLite path is under the data directory; an absolute one is not.
package app
