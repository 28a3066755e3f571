package app

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

const mostSecret = 64 << 10

// readSecret is a file's bytes less one final line break.
func readSecret(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	secret, err := io.ReadAll(io.LimitReader(file, mostSecret+1))
	if err != nil {
		return nil, err
	}
	if len(secret) > mostSecret {
		return nil, errors.New("it is longer than 64 KiB")
	}
	if cut, ok := bytes.CutSuffix(secret, []byte("\n")); ok {
		return bytes.TrimSuffix(cut, []byte("\r")), nil
	}
	return secret, nil
}

// makeSecret writes what make gives to path, whole or not at all. When another
// process was faster its secret stays.
func makeSecret(path string, make func() ([]byte, error)) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	secret, err := make()
	if err != nil {
		return err
	}
	// CreateTemp makes files of mode 0600.
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.Write(secret)
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
