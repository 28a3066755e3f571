// Package handingoff is the conversation that carries a journey to another domain,
// once: a visitor's browser mints a token and, at the destination, claims it; the
// destination's server redeems what was carried, and confirms who it was.
//
// Decisions taken here:
//
//   - A claim says nothing beyond whether it was accepted, and there is one refusal,
//     fault.Gone, whatever the reason.
//   - A redeem binds nothing: before a claim or a confirm there is no browser that
//     it could speak for, so it is fault.Gone.
//   - What a redeem answers are the events that mint and claims carried, as they are
//     stored. After the confirm those of them that its lead owns and that had arrived
//     by then: what comes later belongs to the site, not to the destination.
//   - Where nobody is to be recognised (R16), a mint and a claim store nothing and
//     bind nothing, and a confirm is a submission without a device.
package handingoff
