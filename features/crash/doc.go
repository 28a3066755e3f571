// Package crash holds what the specs of crash safety need: the built binary as a process that can be killed at any
// moment, visitors who remember exactly what they were promised, and a network that can be cut.
//
// Decisions taken here:
//
//   - A visitor stops at the first request that is not accepted, so that at most one request of each visitor is in
//     doubt. What is in doubt may be there or not, but whole or not at all; sent again, it must be there once.
//   - Each visitor is one person on one device: then all events are that person's, and a journey shows every one.
//   - Kills happen at a random number of accepted requests, never at a time: a slow machine tells the same story.
package crash
