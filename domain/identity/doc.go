// Package identity decides who and what a request is about: which device sent
// it, which person it names, whose the events are. It holds R1–R9 and R17 as pure
// decisions from a State that a store loads to a Change that the store records.
//
// Decisions taken here:
//
//   - A guarded link is a Change, not an error: the second person's submission is
//     kept, the device is shared from then on, and nobody is refused.
//   - A Change holds whole rows "as they are from now on", so that a store applies
//     it without a rule of its own.
//   - A repeated submission adds no identity, but the events that it carries are
//     appended: the client counts an answered submission as covering them, and the
//     set of events must not depend on which of two copies arrives first (R6).
//   - A repeat without a key, of a submission that has a device already, is the
//     browser whose answer was lost. Its events go to that device; it gets no key,
//     since knowing an address and an id must never hand out somebody's device.
//   - A session in which somebody submitted whom we cannot place (a planted key,
//     or a person erased since) is doubtful for good: no snapshot is taken there.
//   - Resolve (R9) accepts only leads that were identified on the device.
//   - A handoff sets a submission's id aside when it is minted. On a shared device
//     what mint and claims carry is written at once as the snapshot of that id, so
//     that it is never rewritten: the first confirm takes the id, unless somebody else
//     was identified in the session of the mint or of the claim. An id that nobody took
//     is nobody's. A repeat that brings the first device keeps its own id and takes none.
//   - A handoff is confirmed once; a later confirm by the same browser is one more
//     submission on the device, and shares it if it is somebody else's (R5).
//   - A mint beside a planted key answers a token like any other. What it carries is
//     nobody's, and its confirm has no device.
//   - A bound handoff survives the reset of its device: the visitor is at the
//     destination already.
//   - Expiry moves in grains (Retention), which keeps the anchor's row out of most
//     appends.
package identity
