// Package capture is the conversation with browsers and form backends: events
// under a visitor key, identity arriving, and the reset of a device.
//
// The Service turns what a request tells into values, and every decision is taken
// in domain/identity, inside the Store's transaction. Nothing is answered before
// the Store has recorded it durably.
package capture
