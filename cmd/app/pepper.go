package app

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"continuity/domain/identity"
)

const (
	pepperName = "pepper"
	pepperSize = 32 // random bytes, kept as hexadecimal digits
	mostPepper = 4 << 10
)

// pepper is the secret under which addresses are hashed. Where none is configured
// it is made once into the secrets directory, which must be kept with as much care
// as the data and apart from it: without it no lead is ever matched again.
func (c Config) pepper(random io.Reader) (identity.Pepper, error) {
	secret, err := c.pepperBytes(random)
	if err != nil {
		return identity.Pepper{}, err
	}
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
		secret, err := readPepper(c.PepperFile)
		if err != nil {
			return nil, &Misconfigured{Problems: []string{prefix + "_PEPPER_FILE cannot be read: " + err.Error()}}
		}
		return secret, nil
	}
	path := filepath.Join(c.SecretsDir, pepperName)
	secret, err := readPepper(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return secret, err
	}
	if err := makePepper(path, random); err != nil {
		return nil, fmt.Errorf("make a pepper: %w", err)
	}
	return readPepper(path)
}

// readPepper is a file's bytes less one final line break.
func readPepper(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	secret, err := io.ReadAll(io.LimitReader(file, mostPepper+1))
	if err != nil {
		return nil, err
	}
	if len(secret) > mostPepper {
		return nil, errors.New("a pepper is at most 4 KiB")
	}
	if cut, ok := bytes.CutSuffix(secret, []byte("\n")); ok {
		return bytes.TrimSuffix(cut, []byte("\r")), nil
	}
	return secret, nil
}

// makePepper writes a new pepper to path, whole or not at all. When another
// process was faster its pepper stays.
func makePepper(path string, random io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	raw := make([]byte, pepperSize)
	if _, err := io.ReadFull(random, raw); err != nil {
		return err
	}
	// CreateTemp makes files of mode 0600.
	file, err := os.CreateTemp(filepath.Dir(path), pepperName+"-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.WriteString(hex.EncodeToString(raw) + "\n")
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	// Unlike a rename, a link never replaces a file that is there.
	if err := os.Link(file.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDirectory(filepath.Dir(path))
}

func syncDirectory(path string) error {
	directory, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(directory.Sync(), directory.Close())
}
