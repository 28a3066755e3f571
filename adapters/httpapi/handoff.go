package httpapi

import (
	"net/http"

	"continuity/domain/fault"
	"continuity/domain/handoff"
	"continuity/ports/access"
	"continuity/ports/capture"
	"continuity/ports/handingoff"
)

// handoffAPI speaks for the handing-off port.
type handoffAPI struct {
	service    *handingoff.Service
	cookie     Cookie
	limits     limiting
	respectGPC bool
}

// mint answers 201 with a token, and an empty 200 where nobody is to be recognised.
func (a handoffAPI) mint(w http.ResponseWriter, r *http.Request) error {
	body, err := decode(w, r, decodeMint)
	if err != nil {
		return err
	}
	if err := a.limits.createsAlways(w, r); err != nil {
		return err
	}
	if err := a.limits.events(w, r, len(body.Events)); err != nil {
		return err
	}
	keys, _ := a.cookie.sentKeys(r)
	visit := handingoff.Visit{Keys: keys, Unrecognised: a.unrecognised(r)}
	minted, err := a.service.Mint(r.Context(), visit, body.destination, handingoff.Beacon(body.Beacon))
	if err != nil {
		return err
	}
	skippedEvents(w, minted.Skipped+body.skipped)
	a.limits.learn(r, minted.Issue, minted.Expire)
	a.cookie.answer(w, r, capture.Answer{Issue: minted.Issue, Expire: minted.Expire})
	if minted.Token == nil {
		return respond(w, http.StatusOK, nil)
	}
	return respond(w, http.StatusCreated, mintedView{
		Token: minted.Token.String(), ExpiresAt: timestamp(minted.ExpiresAt),
	})
}

// claim answers 204 and nothing else. Cookies neither speak here nor are set: the
// browser is on another site.
func (a handoffAPI) claim(w http.ResponseWriter, r *http.Request) error {
	body, err := decode(w, r, decodeClaim)
	if err != nil {
		return err
	}
	if err := a.limits.carried(w, r, body.token, len(body.Events)); err != nil {
		return err
	}
	visit := handingoff.Visit{Unrecognised: a.unrecognised(r)}
	claimed, err := a.service.Claim(r.Context(), visit, destination(r), body.token, body.claim, handingoff.Beacon(body.Beacon))
	if err != nil {
		return err
	}
	skippedEvents(w, claimed.Skipped+body.skipped)
	if !claimed.Stored {
		return respond(w, http.StatusOK, nil)
	}
	return respond(w, http.StatusNoContent, nil)
}

func (a handoffAPI) unrecognised(r *http.Request) bool {
	return a.respectGPC && r.Header.Get("Sec-GPC") == "1"
}

func (a handoffAPI) redeem(w http.ResponseWriter, r *http.Request) error {
	at, err := spokenFor(r)
	if err != nil {
		return err
	}
	body, err := decode(w, r, decodeRedeem)
	if err != nil {
		return err
	}
	events, err := a.service.Redeem(r.Context(), at, body.token, body.claim)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, redeemedView{Events: each(events, viewCarried)})
}

func (a handoffAPI) confirm(w http.ResponseWriter, r *http.Request) error {
	at, err := spokenFor(r)
	if err != nil {
		return err
	}
	body, err := decode(w, r, decodeConfirm)
	if err != nil {
		return err
	}
	if err := a.service.Confirm(r.Context(), at, body.token, body.claim, handingoff.Form(body.Form)); err != nil {
		return err
	}
	return respond(w, http.StatusNoContent, nil)
}

// spokenFor is the destination whose server a bearer token belongs to.
func spokenFor(r *http.Request) (handoff.Destination, error) {
	token, _ := r.Context().Value(tokenKey{}).(access.Token)
	if token.Destination == "" {
		return "", fault.New(fault.Forbidden, "", "the token was made for no destination")
	}
	return token.Destination, nil
}
