// Package domain holds the rules as pure functions over values: no I/O, no
// context, no clock, no randomness, no struct tags. Time, ids and secrets are
// arguments.
//
// It imports the standard library and golang.org/x/{net,text} only; the arrows
// spec in features holds that.
package domain
