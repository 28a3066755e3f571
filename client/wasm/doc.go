//go:build js && wasm

// Package main is the WASM build of the capture client: capture's behaviour on
// the browser, through syscall/js alone.
//
// Decisions that shaped it: whatever may throw in JavaScript is called through
// Call, whose exceptions become panics that are recovered here, because an
// exception under Get would end the program; the loader listens and queues from
// the first moment, so this program only takes over; every callback recovers,
// because a page must never see our failure.
package main
