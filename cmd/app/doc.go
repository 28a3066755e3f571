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
//   - A setting whose feature this build lacks is read, and named in a warning at the
//     start, so that nobody believes in a limit that is not there.
//   - A relative SQLite path is under the data directory; an absolute one is not.
package app
