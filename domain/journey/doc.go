// Package journey turns what a client told of its steps into events that may be
// stored: timed, bounded, readable by every database, and without an e-mail
// address. It decides nothing about who an event belongs to.
//
// The decisions that shaped it:
//
//   - Only an unusable id loses an event. Any other field that is wrong is
//     dropped or cut, so that one poisoned value never blocks a device.
//   - Ids are taken as they are or not at all; texts are cleaned. Two broken ids
//     must never become one, two broken titles may.
//   - An address is looked for in the text with every escape undone, down to the
//     last level, and taken out of the text as it was sent. All other bytes stay.
//   - A stored URL is what browsers make of it, as far as that makes one page of
//     two spellings, and cleaning it again changes nothing.
//   - Props that do not fit lose their last keys, never the event.
package journey
