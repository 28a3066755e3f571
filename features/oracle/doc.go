// Package oracle is a plain model of the rules R1, R2, R4–R9 and R17 of the design,
// which random histories are compared with. It was written from the document, keeps
// everything in memory, and imports nothing of what it is compared with.
//
// Decisions taken here:
//
//   - Names instead of ids: people are addresses, keys and devices are numbers, so
//     that a model and any number of databases can tell one history.
//   - A device knows its own past, in order of arrival. Nothing is derived twice: an
//     event's owner is decided when it is first written and never looked at again.
//   - Time is not modelled: nothing expires within a history.
package oracle
