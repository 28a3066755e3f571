// Package scanning is the conversation about trees with codes on them: with the
// visitors who scan one, and with the owners who keep the trees and read how often
// each was visited.
//
// The Service turns what a request tells into values, and what a scan counts as is
// decided in domain/scan, inside the Store's transaction. A scan and the event that
// it adds to a device's journey are two transactions: the event is a courtesy, and
// whatever becomes of it, the scan counts and the visitor sees the page.
package scanning
