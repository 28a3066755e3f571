package bunstore

import (
	"encoding/json"
	"fmt"

	"continuity/domain/identity"
)

// Cipher seals what tells who somebody is. What was sealed for one place opens in no
// other.
type Cipher interface {
	Seal(plain []byte, place string) ([]byte, error)
	Open(sealed []byte, place string) ([]byte, error)
}

// seal turns identities into columns and back. Without a cipher they stay readable,
// which is for specs of the store alone.
type seal struct{ Cipher }

func (s seal) seal(plain []byte, place string) ([]byte, error) {
	if s.Cipher == nil {
		return plain, nil
	}
	return s.Cipher.Seal(plain, place)
}

func (s seal) open(sealed []byte, place string) ([]byte, error) {
	if s.Cipher == nil {
		return sealed, nil
	}
	return s.Cipher.Open(sealed, place)
}

// The places are part of what is stored: they never change.
func leadIdentity(id identity.LeadID) string { return fmt.Sprintf("leads/%d/identity", id) }

func submissionIdentity(id identity.SubmissionID) string {
	return fmt.Sprintf("submissions/%d/identity", id)
}

func submissionFields(id identity.SubmissionID) string {
	return fmt.Sprintf("submissions/%d/fields", id)
}

// person is how an identity stands in one column, apart from what is searched.
type person struct {
	Email string `json:"email"`
	Name  string `json:"name,omitempty"`
	Phone string `json:"phone,omitempty"`
}

func (s seal) person(p identity.Person, place string) ([]byte, error) {
	raw, err := json.Marshal(person{Email: string(p.Email), Name: p.Name, Phone: p.Phone})
	if err != nil {
		return nil, fmt.Errorf("write an identity: %w", err)
	}
	return s.seal(raw, place)
}

func (s seal) personOf(raw []byte, place string) (identity.Person, error) {
	plain, err := s.open(raw, place)
	if err != nil {
		return identity.Person{}, fmt.Errorf("open an identity: %w", err)
	}
	var p person
	if err := json.Unmarshal(plain, &p); err != nil {
		return identity.Person{}, fmt.Errorf("read an identity: %w", err)
	}
	return identity.Person{Email: identity.Email(p.Email), Name: p.Name, Phone: p.Phone}, nil
}
