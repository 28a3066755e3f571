// Package sealing encrypts identities at rest with Tink: AES-256-GCM under a keyset,
// of which one key writes and every key reads. What is sealed is bound to its place
// and cannot be moved to another row.
//
// Decisions taken here:
//
//   - Keys are kept as Tink's own JSON keyset in the clear, in a file of its owner's:
//     there is no key-management service beside a site, and whoever can read the file
//     is the service.
//   - Whichever key wrote stands in the first five bytes of what is sealed (Tink's
//     prefix), so that a rotation finds what is left to do without a key.
//   - A keyset can be derived from other secrets, for nodes that share those already.
package sealing

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/aead/aesgcm"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/insecuresecretdataaccess"
	"github.com/tink-crypto/tink-go/v2/keyset"
	tinkpb "github.com/tink-crypto/tink-go/v2/proto/tink_go_proto"
	"github.com/tink-crypto/tink-go/v2/secretdata"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// Keys are a keyset. Printing one shows no secret.
type Keys struct {
	handle *keyset.Handle
	cipher tink.AEAD
	ids    []uint32 // the writing one first
}

// New draws one key from the system's random source.
func New() (*Keys, error) {
	handle, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("make a seal key: %w", err)
	}
	return of(handle)
}

// Parse reads Tink's JSON of a cleartext keyset. Its errors repeat nothing of it.
func Parse(text []byte) (*Keys, error) {
	handle, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(text)))
	if err != nil {
		return nil, errors.New("is no keyset in the JSON of Tink")
	}
	return of(handle)
}

const keySize = 32

// Derive makes a key of each secret; the first one's writes. The same secrets give
// the same keys anywhere.
func Derive(secrets ...[]byte) (*Keys, error) {
	manager := keyset.NewManager()
	parameters, err := aesgcm.NewParameters(aesgcm.ParametersOpts{
		KeySizeInBytes: keySize, IVSizeInBytes: 12, TagSizeInBytes: 16, Variant: aesgcm.VariantTink,
	})
	if err != nil {
		return nil, fmt.Errorf("derive seal keys: %w", err)
	}
	var first uint32
	for i, secret := range secrets {
		raw, err := hkdf.Key(sha256.New, secret, nil, "continuity seal key", keySize+4)
		if err != nil {
			return nil, fmt.Errorf("derive a seal key: %w", err)
		}
		bytes := secretdata.NewBytesFromData(raw[:keySize], insecuresecretdataaccess.Token{})
		key, err := aesgcm.NewKey(bytes, binary.BigEndian.Uint32(raw[keySize:]), parameters)
		if err != nil {
			return nil, fmt.Errorf("derive a seal key: %w", err)
		}
		id, err := manager.AddKey(key)
		if err != nil {
			return nil, fmt.Errorf("derive a seal key: %w", err)
		}
		if i == 0 {
			first = id
		}
	}
	return primary(manager, first)
}

func primary(manager *keyset.Manager, id uint32) (*Keys, error) {
	if err := manager.SetPrimary(id); err != nil {
		return nil, fmt.Errorf("choose the seal key that writes: %w", err)
	}
	handle, err := manager.Handle()
	if err != nil {
		return nil, fmt.Errorf("make a keyset: %w", err)
	}
	return of(handle)
}

func of(handle *keyset.Handle) (*Keys, error) {
	cipher, err := aead.New(handle)
	if err != nil {
		return nil, errors.New("is a keyset of another kind than AEAD")
	}
	info := handle.KeysetInfo()
	ids := []uint32{info.GetPrimaryKeyId()}
	for _, key := range info.GetKeyInfo() {
		if key.GetOutputPrefixType() != tinkpb.OutputPrefixType_TINK {
			return nil, errors.New("has a key that does not name itself in what it seals")
		}
		if key.GetKeyId() != ids[0] && key.GetStatus() == tinkpb.KeyStatusType_ENABLED {
			ids = append(ids, key.GetKeyId())
		}
	}
	return &Keys{handle: handle, cipher: cipher, ids: ids}, nil
}

// IDs name the keys, the writing one first. They may be shown.
func (k *Keys) IDs() []uint32 { return k.ids }

// Writing are the same keys, of which the one with that id writes.
func (k *Keys) Writing(id uint32) (*Keys, error) {
	return primary(keyset.NewManagerFromHandle(k.handle), id)
}

// Added are the same keys and a new one, which writes.
func (k *Keys) Added() (*Keys, error) {
	manager := keyset.NewManagerFromHandle(k.handle)
	id, err := manager.Add(aead.AES256GCMKeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("add a seal key: %w", err)
	}
	return primary(manager, id)
}

// JSON is what Parse reads: every key, in the clear.
func (k *Keys) JSON() ([]byte, error) {
	var text bytes.Buffer
	if err := insecurecleartextkeyset.Write(k.handle, keyset.NewJSONWriter(&text)); err != nil {
		return nil, fmt.Errorf("write the seal keys: %w", err)
	}
	return append(text.Bytes(), '\n'), nil
}

// Seal encrypts what belongs to a place under the writing key.
func (k *Keys) Seal(plain []byte, place string) ([]byte, error) {
	return k.cipher.Encrypt(plain, []byte(place))
}

// Open is what was sealed for that place, under any of the keys. It fails for
// anything that was changed, moved, or sealed under another key.
func (k *Keys) Open(sealed []byte, place string) ([]byte, error) {
	plain, err := k.cipher.Decrypt(sealed, []byte(place))
	if err != nil {
		return nil, errors.New("what is sealed there was changed, moved, or sealed under a key that is not here")
	}
	return plain, nil
}

// Mark is how everything begins that the key with that id sealed.
func Mark(id uint32) []byte { return binary.BigEndian.AppendUint32([]byte{1}, id) }
