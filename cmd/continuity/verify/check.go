package verify

import (
	"context"
	"fmt"
)

// finding is what a check found. Only an Unsafe one names a danger and a fix.
type finding struct {
	verdict            Verdict
	found, danger, fix string
}

func safe(format string, args ...any) finding {
	return finding{verdict: Safe, found: fmt.Sprintf(format, args...)}
}

func unknown(format string, args ...any) finding {
	return finding{verdict: Unknown, found: fmt.Sprintf(format, args...)}
}

func skipped(format string, args ...any) finding {
	return finding{verdict: Skipped, found: fmt.Sprintf(format, args...)}
}

// hazard is a danger and what removes it.
type hazard struct{ danger, fix string }

func (h hazard) found(format string, args ...any) finding {
	return finding{verdict: Unsafe, found: fmt.Sprintf(format, args...), danger: h.danger, fix: h.fix}
}

// check is one question to the deploy.
type check struct {
	name string
	run  func(context.Context, *inspection) (finding, error)
}

// checks in the order they are run in. The first ones make what the later ones need;
// those over all answers come after everything that is not meant to be limited, and
// the flood at the end.
var checks = []check{
	{"mint", checkMint},
	{"two visitors, two keys", checkTwoKeys},
	{"cookie", checkCookie},
	{"key comes back", checkReturn},
	{"append", checkAppend},
	{"methods", checkMethods},
	{"origin and host", checkOrigin},
	{"body", checkBody},
	{"foreign cookies", checkForeignCookies},
	{"errors are not stored", checkErrors},
	{"read nothing", checkReadNothing},
	{"private interface", checkPrivate},
	{"Sec-GPC", checkGPC},
	{"reset", checkReset},
	{"tree page", checkTree},
	{"tree prefetch", checkTreePrefetch},
	{"page", checkPage},
	{"page policy", checkPolicy},
	{"client files", checkClientFiles},
	{"Safari", checkSafari},
	{"edge and origin", checkOriginCompared},
	{"client address", checkAddressBelieved},
	{"429", checkLimited},
	{"no store", checkNoStore},
	{"no cache hit", checkNoHit},
}
