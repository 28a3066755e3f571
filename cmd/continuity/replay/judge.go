package replay

// judge compares an answer with what the step must bring.
func (x exchange) judge(a answer) {
	at := Difference{Kind: "answer", Device: x.script.device.number}
	t := x.p.tally
	if a.status != x.step.want {
		t.differf(at, "POST %s (%s device): status %d, not %d", x.step.to, x.script.role, a.status, x.step.want)
		return
	}
	if a.body != 0 {
		t.differf(at, "POST %s: the answer has a body of %d octets (R14)", x.step.to, a.body)
	}
	if a.cookie != nil && !a.noStore {
		t.differf(at, "POST %s: a cookie is set without no-store (R15)", x.step.to)
	}
	x.judgeCookie(a)
}

func (x exchange) judgeCookie(a answer) {
	at := Difference{Kind: "cookie", Device: x.script.device.number}
	t := x.p.tally
	switch {
	case x.step.to == toReset || x.step.key == stale:
		if !a.expires() {
			t.differf(at, "POST %s: a dead key is not expired (R1, R17)", x.step.to)
		}
	case a.status == nothing:
		if a.gives() {
			t.differf(at, "POST %s: a key although nothing was stored (R1)", x.step.to)
		}
	case x.cookie == "":
		x.judgeFresh(a, at)
	case a.gives() && a.cookie.Value != x.cookie:
		t.differf(at, "POST %s: another key for a device that has one", x.step.to)
	case !a.gives() && x.step.to == toAppend:
		t.differf(at, "POST %s: the key is not issued again (R1)", x.step.to)
	}
}

// judgeFresh looks at the key that a submission without one brings (R2).
func (x exchange) judgeFresh(a answer, at Difference) {
	t := x.p.tally
	if !a.gives() {
		if x.step.mishap != blind {
			t.differf(at, "POST %s: no key for a new device (R2)", x.step.to)
		}
		return
	}
	if before := t.fresh(a.cookie.Value, at.Device); before != 0 {
		t.differf(at, "POST %s: a key that device %d has had before (R2)", x.step.to, before)
	}
}
