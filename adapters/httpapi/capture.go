package httpapi

import (
	"net/http"

	"continuity/domain/identity"
	"continuity/ports/capture"
)

// captureAPI speaks for the capture port.
type captureAPI struct {
	service    *capture.Service
	cookie     Cookie
	limits     limiting
	anonymous  bool // an append may create a device
	respectGPC bool
}

// visit is what a request shows of its device (R16).
func (a captureAPI) visit(r *http.Request) capture.Visit {
	keys, _ := a.cookie.sentKeys(r)
	return capture.Visit{Keys: keys, Unrecognised: a.respectGPC && r.Header.Get("Sec-GPC") == "1"}
}

// append answers 204 when something was stored, and an empty 200 when there was
// nothing to append to, so that the client keeps what it carried (R1).
func (a captureAPI) append(w http.ResponseWriter, r *http.Request) error {
	body, err := decode(w, r, decodeBeacon)
	if err != nil {
		return err
	}
	if err := a.limitAppend(w, r, body); err != nil {
		return err
	}
	answer, err := a.service.Append(r.Context(), a.visit(r), body.Beacon)
	if err != nil {
		return err
	}
	skippedEvents(w, answer.Skipped+body.skipped)
	a.answer(w, r, answer)
	if !answer.Stored {
		return respond(w, http.StatusOK, nil)
	}
	return respond(w, http.StatusNoContent, nil)
}

func (a captureAPI) limitAppend(w http.ResponseWriter, r *http.Request, body *beacon) error {
	if a.anonymous {
		if err := a.limits.creates(w, r); err != nil {
			return err
		}
	}
	return a.limits.events(w, r, len(body.Events))
}

func (a captureAPI) submit(w http.ResponseWriter, r *http.Request) error {
	body, err := decode(w, r, fromBrowser)
	if err != nil {
		return err
	}
	if err := a.limits.creates(w, r); err != nil {
		return err
	}
	if a.limits.events(w, r, len(body.Events)) != nil {
		// They are counted and stored all the same: whoever asks to be called is heard, and
		// what a 204 covers the client forgets.
		w.Header().Del("Retry-After")
	}
	answer, err := a.service.Submit(r.Context(), a.visit(r), body.Form, body.Beacon, true)
	if err != nil {
		return err
	}
	skippedEvents(w, answer.Skipped+body.skipped)
	a.answer(w, r, answer)
	return respond(w, http.StatusNoContent, nil)
}

func (a captureAPI) reset(w http.ResponseWriter, r *http.Request) error {
	answer, err := a.service.Reset(r.Context(), a.visit(r))
	if err != nil {
		return err
	}
	a.answer(w, r, answer)
	return respond(w, http.StatusNoContent, nil)
}

// answer tells the device what became of its key.
func (a captureAPI) answer(w http.ResponseWriter, r *http.Request, answer capture.Answer) {
	a.limits.learn(r, answer.Issue, answer.Expire)
	a.cookie.answer(w, r, answer)
}

// submitFromBackend is a submission that no browser sent: cookies neither speak
// nor are set, and the body may name the device.
func (a captureAPI) submitFromBackend(w http.ResponseWriter, r *http.Request) error {
	body, err := decode(w, r, fromBackend)
	if err != nil {
		return err
	}
	var visit capture.Visit
	if body.key != nil {
		visit.Keys = []identity.Key{*body.key}
	}
	answer, err := a.service.Submit(r.Context(), visit, body.Form, body.Beacon, false)
	if err != nil {
		return err
	}
	skippedEvents(w, answer.Skipped+body.skipped)
	return respond(w, http.StatusNoContent, nil)
}

func fromBrowser(w *walker) (*submission, error) { return decodeSubmission(w, false) }
func fromBackend(w *walker) (*submission, error) { return decodeSubmission(w, true) }
