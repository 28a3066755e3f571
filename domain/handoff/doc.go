// Package handoff has the words of a handoff: the token that a link carries, the
// id by which a browser claims it, and the destination that it is good for. What
// they do to a device and to people is decided in domain/identity.
//
// Decisions taken here:
//
//   - A token is 144 bits, so that by its length it is never taken for a visitor key.
//   - A destination is a host as a browser's link.host has it: lower-case ASCII, a port
//     only where the link has one. It is compared to the letter; a sub-domain is another.
package handoff
