// Package httpapi speaks to browsers on the public interface and to the owners of
// a site on the private one. It turns requests into calls of the ports and their
// answers into HTTP; it decides nothing about devices or people.
//
// Decisions taken here:
//
//   - A path has its methods in one place, so that another method is a 405 with
//     Allow, before anything else is looked at. OPTIONS passes the same gate as
//     POST: 204 for our own origin and for listed ones (with the preflight's answer),
//     403 for everybody else.
//   - The word "absent" in the list of origins accepts requests that have neither an
//     Origin nor a Sec-Fetch-Site. Origin: null is never accepted.
//   - An envelope that is wrong is refused with 400, which makes a browser drop its
//     events; whatever is wrong with an identity is 422, which makes it keep them.
//     An empty or null session is none; any other unusable one is refused.
//   - The keys of a JSON body are compared after their escapes are read, and by case.
//     In an event a key that is there twice skips the event, inside its props it drops
//     the props; in fields, which are kept as they were typed, it refuses the body.
//   - Ids of events and sessions are passed on as they are, NUL among them: two
//     broken names must never be cleaned into one.
//   - A form backend's submission without a visitor key keeps no events: there is no
//     device that they could belong to. It sets no cookie.
//   - Where a configured domain lets two cookies live side by side, an expiry names
//     both; a re-issue names the others only when the request showed them.
//   - campaign and props are objects, {} when there is nothing; names and texts that
//     are not there are "", ids and times that are not there are null.
//   - What begins with /t/ is a tree's page or a helpful 404 in HTML, never JSON, and
//     whoever only looks ahead gets an empty 503. /t/abc/ is not /t/abc. A tree's
//     target is checked again when somebody is sent there; one that fails shows the page.
//   - visitor_id has COOKIE_DOMAIN like the visitor's key, so that a page and its
//     report count alike, and drops Secure under the same rule.
//   - A program's POST of a scan is answered as a new visitor's, without a cookie.
//   - Numbers list every day from from to to or, where one is open, between the first
//     row and the last. Every reason of exclusion is named, also with 0.
//   - A claim is accepted from the pages of configured destinations alone, by their
//     Origin: an absent one is no destination's. A token of another destination than
//     the Origin's is gone, like one that never was. Claims do not look at cookies.
//   - A mint and a claim of somebody who is not to be recognised answer an empty 200.
//   - What a confirm carries of a journey is not read: a server has none of its own.
//   - An id that no row could have is not found, like one that no row has.
package httpapi
