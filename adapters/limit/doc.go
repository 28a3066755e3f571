// Package limit counts how often something happens and says when it is too much. It
// keeps the counts in memory, or in Redis where several nodes share them.
//
// Decisions taken here:
//
//   - Counting is by GCRA: 60/m lets 60 through at once, then one a second. Who is
//     refused is not counted, so whoever waits as long as told gets through.
//   - Memory is bounded: of each limit the 65,536 names that were used last are
//     known. Older ones begin anew, which costs a limit its memory and nobody
//     their request.
//   - Redis that does not answer within a tenth of a second is away: counting goes
//     on in memory at once, and nobody waits for it again until it has answered a
//     ping, which is asked for beside the requests. A breaker that let every so
//     many requests try would make those wait.
//   - What Redis holds are hashes and networks that expire with their counts, so it
//     needs no persistence.
package limit
