// Package replay plays an access log as browsers with cookies against a running
// service, and then compares what the service holds with what it should hold.
//
// It knows the service by its public and private HTTP alone and shares no code
// with it: what every lead should own comes from a plain model of the rules
// (R1, R2, R4 to R7, R17), written a second time on purpose.
//
// Decisions:
//   - A device is one address and one User-Agent of the log. Rows are sorted by
//     time within a device, since the lines of real logs are not in order; a gap
//     of more than 30 minutes begins the next session. Every row is a page view.
//   - The whole plan is made before the first request: which device submits
//     what, when cookies are cleared, which answers get lost, and which status
//     each request must bring. The same log and seed give the same plan. Devices
//     run side by side; a device's own requests run in order. Nothing the model
//     predicts depends on the order across devices.
//   - Events keep the log's own times. R11 corrects by received_at − sent_at, so
//     a third of the devices sends no sent_at, and their times must come back
//     to the millisecond; a third has a right clock, and a third a wrong one,
//     and theirs may be off by Options.Tolerance.
//   - One beacon per session, early or at its end, carries what no 204 has
//     covered. Nothing leaves a mirror before a submission was accepted from it.
//     What exceeds a request goes in several, the newest events first.
//   - A first submission whose answer and cookie are both lost is sent again
//     without a key. As a repeat changes nothing (R4), the browser stays without
//     one, and a later submission makes it a new device.
//   - A service that a number of devices get no answer from ends the replay early;
//     waiting for all of them would take hours and tell nothing new.
//   - Leads of others in the same database are counted and left alone; an event of
//     this replay under one of them is a difference.
package replay
