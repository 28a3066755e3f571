package app

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"continuity/domain/identity"
)

const (
	pepperName = "pepper"
	pepperSize = 32 // random bytes, kept as hexadecimal digits
)

// pepper is the secret under which addresses are hashed. Where none is configured
// it is made once into the secrets directory, which must be kept with as much care
// as the data and apart from it: without it no lead is ever matched again.
func (c Config) pepper(random io.Reader) (identity.Pepper, error) {
	secret, err := c.pepperBytes(random)
	if err != nil {
		return identity.Pepper{}, err
	}
	return usable(secret)
}

func usable(secret []byte) (identity.Pepper, error) {
	if len(secret) < leastPepper {
		return identity.Pepper{}, &Misconfigured{Problems: []string{"the pepper must be at least 8 bytes"}}
	}
	return identity.NewPepper(secret), nil
}

func (c Config) pepperBytes(random io.Reader) ([]byte, error) {
	if c.Pepper.set {
		return []byte(c.Pepper.text), nil
	}
	if c.PepperFile != "" {
		secret, err := readSecret(c.PepperFile)
		if err != nil {
			return nil, &Misconfigured{Problems: []string{prefix + "_PEPPER_FILE cannot be read: " + err.Error()}}
		}
		return secret, nil
	}
	path := filepath.Join(c.SecretsDir, pepperName)
	secret, err := readSecret(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return secret, err
	}
	if err := makeSecret(path, func() ([]byte, error) { return newPepper(random) }); err != nil {
		return nil, fmt.Errorf("make a pepper: %w", err)
	}
	return readSecret(path)
}

func newPepper(random io.Reader) ([]byte, error) {
	raw := make([]byte, pepperSize)
	if _, err := io.ReadFull(random, raw); err != nil {
		return nil, err
	}
	return []byte(hex.EncodeToString(raw) + "\n"), nil
}
