// Package contract holds, for every interface that a port asks of the outside, the
// suite of specs that its promises are. An adapter calls the suite with a way to
// open itself, and passes it or is not that adapter.
package contract
