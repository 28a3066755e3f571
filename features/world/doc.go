// Package world holds the ways into a service for the behaviour specs: the same
// story is told in process, over HTTP, and against a deployment at a URL, on
// SQLite and on Postgres.
//
// A story makes its own names and asserts only about them, so that it can be told
// to a service in use. What a way cannot do (move the clock of a deployment) is a
// capability: the story skips there and says why.
package world
