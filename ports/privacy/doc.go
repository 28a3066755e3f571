// Package privacy is the conversation with whoever answers for people's data:
// everything of one address is handed over, or removed (R10).
//
// Decisions taken here:
//
//   - An export tells what an erasure would remove, to the row, and its counts are
//     those of the receipt. A device that others used too is not removed, so it is
//     told apart: it only loses its link and the person's own events.
//   - A person who has expired but is not pruned yet is gone for an export and for the
//     counts of a receipt, and an erasure removes what is left of them all the same.
//   - Nobody's address is a success: there is nothing to hand over, and the receipt of
//     its erasure has zeros. Whoever asks must not have to know whether there was one.
//   - Who the other person of a candidate is, is told to neither.
package privacy
