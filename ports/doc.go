// Package ports has one package per conversation with the service. A port holds
// its Service, which is what may be asked of us, and the small interfaces that it
// needs, which is what we ask of the outside; their comments are promises, and
// package contract has a suite for each that every adapter must pass.
//
// Ports never import each other: two conversations that need one thing share it
// in domain, or through the adapter that implements both.
package ports
