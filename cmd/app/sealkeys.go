package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"

	"continuity/adapters/bunstore"
	"continuity/adapters/sealing"
	"continuity/domain/identity"
)

const sealKeysName = "seal-keys.json"

// sealKeys are the keys under which identities are sealed. Whoever gives a pepper and
// no seal keys shares that pepper between the nodes already, so the key is derived
// from it; where the pepper is made, the seal key is made beside it.
func (c Config) sealKeys(peppers [][]byte) (*sealing.Keys, error) {
	switch {
	case c.SealKeys.set:
		return parseSealKeys("SEAL_KEYS", []byte(c.SealKeys.text))
	case c.SealKeysFile != "":
		text, err := readSecret(c.SealKeysFile)
		if err != nil {
			return nil, misconfigured("_SEAL_KEYS_FILE cannot be read: " + err.Error())
		}
		return parseSealKeys("SEAL_KEYS_FILE", text)
	case c.Pepper.set || c.PepperFile != "":
		return sealing.Derive(peppers...)
	}
	path := filepath.Join(c.SecretsDir, sealKeysName)
	text, err := readSecret(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = makeSecret(path, newSealKeys)
		if err == nil {
			text, err = readSecret(path)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the seal keys: %w", err)
	}
	return parseSealKeys("SECRETS_DIR has a "+sealKeysName+" that", text)
}

func newSealKeys() ([]byte, error) {
	keys, err := sealing.New()
	if err != nil {
		return nil, err
	}
	return keys.JSON()
}

func parseSealKeys(name string, text []byte) (*sealing.Keys, error) {
	keys, err := sealing.Parse(text)
	if err != nil {
		return nil, misconfigured("_" + name + " " + err.Error())
	}
	return keys, nil
}

func misconfigured(what string) error { return &Misconfigured{Problems: []string{prefix + what}} }

// secrets are the pepper and the seal keys of one node.
type secrets struct {
	peppers identity.Peppers
	seal    *sealing.Keys
}

func (c Config) secrets(random io.Reader) (s secrets, err error) {
	raw, err := c.pepperBytes(random)
	if err != nil {
		return s, err
	}
	pepper, err := usable(raw)
	if err != nil {
		return s, err
	}
	s.peppers = identity.Peppers{pepper}
	all := [][]byte{raw}
	for _, path := range c.FurtherPepperFiles {
		further, err := readSecret(path)
		if err != nil {
			return s, misconfigured("_FURTHER_PEPPER_FILES cannot be read: " + err.Error())
		}
		if pepper, err = usable(further); err != nil {
			return s, err
		}
		s.peppers, all = append(s.peppers, pepper), append(all, further)
	}
	s.seal, err = c.sealKeys(all)
	return s, err
}

// enrol holds the secrets to those that the database lives by. A node with others is
// wrongly configured: it would quietly make everybody new.
func (s secrets) enrol(ctx context.Context, db *bunstore.DB) error {
	var peppers, keys []string
	for _, pepper := range s.peppers {
		peppers = append(peppers, pepper.ID())
	}
	for _, id := range s.seal.IDs() {
		keys = append(keys, strconv.FormatUint(uint64(id), 10))
	}
	err := db.EnrolPeppers(ctx, peppers)
	if err == nil {
		err = db.EnrolSeal(ctx, keys, s.writing)
	}
	if missing, ok := errors.AsType[*bunstore.MissingSecret](err); ok {
		return &Misconfigured{Problems: []string{missing.Error() +
			"; look at " + prefix + "_PEPPER, " + prefix + "_SEAL_KEYS and " + prefix + "_SECRETS_DIR"}}
	}
	if err != nil {
		return fmt.Errorf("check the secrets: %w", err)
	}
	return nil
}

func (s secrets) writing(id string) (bunstore.Cipher, error) {
	key, err := strconv.ParseUint(id, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("read the id of a seal key: %w", err)
	}
	return s.seal.Writing(uint32(key))
}
