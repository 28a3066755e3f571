package handingoff

import (
	"context"
	"fmt"

	"continuity/domain/handoff"
	"continuity/domain/identity"
)

// Form is an identity that was typed at a destination, with what came beside it.
type Form struct {
	ID     identity.ClientID
	Form   string // which form
	Email  string // as it was typed
	Name   string
	Phone  string
	Fields string // a JSON object, or empty
}

// Confirm keeps an identity and links the device that minted (R4–R7), for the
// browser that claimed. With a token that is dead, or another browser's, the person
// is kept without a device, and the answer is the same. An address that R3 rejects is
// fault.Rejected and changes nothing.
func (s *Service) Confirm(
	ctx context.Context, at handoff.Destination, token string, claim handoff.ClaimID, form Form,
) error {
	person, err := identity.NewPerson(form.Email, form.Name, form.Phone)
	if err != nil {
		return err
	}
	moment := s.moment()
	command := identity.ConfirmHandoff{
		Submit: identity.Submit{
			Moment: moment, Client: form.ID, Person: person, Form: form.Form, Fields: form.Fields,
		},
		Claim: claim, Destination: at,
	}
	ask := identity.Ask{
		Now: moment.Now, Person: s.peppers.Keys(person.Email), Client: form.ID, Creates: true,
	}
	if named, ok := handoff.ParseToken(token); ok && !s.rules.Off {
		ask.Handoff = named.Hash()
	}
	if _, err := s.store.Record(ctx, ask, func(state identity.State) identity.Change {
		return state.ConfirmHandoff(command)
	}); err != nil {
		return fmt.Errorf("confirm: %w", err)
	}
	return nil
}
