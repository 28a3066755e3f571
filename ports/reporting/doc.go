// Package reporting is the conversation with the owners of a site: who their
// leads are, what belongs to each journey, which people met on one device, and
// what a person decides about that.
//
// It only reads, but for two acts of a person: setting a lead's status and
// resolving an anchor (R9). Whose an event is was decided when it was written; a
// report never decides it again.
package reporting
