// Package scan decides what a page load of a tree counts as, and does the
// arithmetic of the reports. It holds R12, and of R13 and R16 the part that is
// about scans, as pure decisions from a State that a store loads to a Change that
// the store records.
//
// Decisions taken here:
//
//   - A status is of one visitor and one tree. Whether a scan is the visitor's first
//     of that tree is decided under the visitor's lock and stored with the row, so
//     that a report never has to look outside its range for it.
//   - Of several cookies of the name the first that is known counts, else the first
//     that is well-formed: a planted cookie cannot make the visitor alternate.
//   - What no person caused has a reason and nothing else: no visitor, no status of
//     its own. Whatever is asked of such a scan, its status is that of a new visitor.
//   - A refresh is a scan that follows another by the same visitor of the same tree
//     within the time that a report folds; a chain of them is one scan. Folding
//     leaves excluded rows and the total of all rows alone.
//   - Days are those of a time zone's calendar, so one may have 23 or 25 hours. What
//     is counted of distinct visitors is counted anew for every range.
//   - Automated programs are told by general words and forms. A library of names was
//     tried beside them: on 3,114 labelled texts it caught no bot more.
package scan
