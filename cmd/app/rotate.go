package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"continuity/adapters/bunstore"
	"continuity/adapters/sealing"
	"continuity/domain/fault"
)

// RotateSeal seals everything under the key of this node's keyset that writes. With
// retire, once every node writes under it, the others are needed no more. It may be
// stopped and called again.
func (a *App) RotateSeal(ctx context.Context, retire bool, progress func(int)) error {
	id := a.secrets.seal.IDs()[0]
	return a.db.RotateSeal(ctx, bunstore.SealKey{
		ID: strconv.FormatUint(uint64(id), 10), Mark: sealing.Mark(id), Cipher: a.secrets.seal,
	}, retire, progress)
}

// RotatePeppers writes every lead under all peppers of this node; with retire it
// forgets every other. It may be stopped and called again.
func (a *App) RotatePeppers(ctx context.Context, retire bool, progress func(int)) error {
	return a.db.RotatePeppers(ctx, a.secrets.peppers, retire, progress)
}

// AddSealKey adds a key to the file of the seal keys, which writes nothing before
// RotateSeal has made it known to the database, and tells which file that is.
func (c Config) AddSealKey() (path string, err error) {
	path = c.SealKeysFile
	if path == "" {
		path = filepath.Join(c.SecretsDir, sealKeysName)
	}
	text, err := readSecret(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fault.New(fault.Invalid, "", "there is no file of seal keys; name one in "+prefix+"_SEAL_KEYS_FILE")
	}
	if err != nil {
		return "", err
	}
	keys, err := parseSealKeys("SEAL_KEYS_FILE", text)
	if err == nil {
		keys, err = keys.Added()
	}
	if err != nil {
		return "", err
	}
	if text, err = keys.JSON(); err != nil {
		return "", err
	}
	return path, replaceSecret(path, text)
}

// replaceSecret writes the new content beside the old and puts it in its place.
func replaceSecret(path string, text []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return err
	}
	return syncDirectory(filepath.Dir(path))
}
