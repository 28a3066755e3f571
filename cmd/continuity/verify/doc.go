// Package verify proves on a live address that a deploy is safe: that no cache on the
// way gives one visitor's key to another, that what the service relies on arrives and
// what it answers leaves unchanged, and that a browser keeps what it is given.
//
// It knows the deploy by HTTP and DNS alone and shares no code with the service: what
// an answer has to be is written a second time on purpose.
//
// Decisions:
//   - It creates only what the public side creates: anchors of handoffs to
//     verify.invalid, which hold no event and expire. At the end it resets their keys,
//     so that nobody can append under one. That needs no token, so there is none.
//   - A key that two visitors were given may be a real person's. From then on no key is
//     sent, renewed or reset, and what would need one is skipped.
//   - What is refused inside the service tells what arrived, and leaves nothing: an
//     unreadable body is answered 400 behind the gate, and 403 in front of it.
//   - A check that was not asked for, or that nothing applies to, is skipped and says
//     why; it does not count. One that should have told and could not makes the whole
//     "could not tell".
//   - Whether a forged address is believed shows by a limit: this machine's address is
//     used up for a minute, and then claims to be another. A limit that is not met
//     within the creations allowed tells nothing.
//   - A tree's page loads are counted, ours too: name a tree that was made for this.
//   - Without a page Safari's rule is not judged, since it is a rule about two hosts.
package verify
