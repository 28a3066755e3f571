package bunstore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/uptrace/bun"
)

// enrolledRow is a secret that the database lives by: without it, what is stored
// cannot be read, or nobody is recognised any more.
type enrolledRow struct {
	bun.BaseModel `bun:"table:enrolled_secrets,alias:n"`

	Kind  string `bun:"kind,pk"`
	ID    string `bun:"id,pk"`
	Check []byte `bun:"check_value"` // of a seal key: something that it sealed
}

const (
	pepperKind = "pepper"
	sealKind   = "seal"
)

// MissingSecret says that a database lives by a secret that this node was not given.
// A node without it would make everybody new, or write what others cannot read.
type MissingSecret struct{ Kind, ID string }

// Error names the secret by its id, which tells nothing about it.
func (m *MissingSecret) Error() string {
	return fmt.Sprintf("the database was written with the %s %s, which this node does not have", m.Kind, m.ID)
}

// EnrolPeppers holds that the node has every pepper that the database lives by, ids
// being those it has, the current one first. A database that knows of none takes
// these. Its error may be a *MissingSecret.
func (db *DB) EnrolPeppers(ctx context.Context, ids []string) error {
	return db.enrolling(ctx, func() error {
		known, err := db.enrolled(ctx, pepperKind)
		if err != nil {
			return err
		}
		if len(known) == 0 {
			rows := make([]enrolledRow, len(ids))
			for i, id := range ids {
				rows[i] = enrolledRow{Kind: pepperKind, ID: id}
			}
			return insert(ctx, db.write, rows)
		}
		for _, row := range known {
			if !slices.Contains(ids, row.ID) {
				return &MissingSecret{Kind: pepperKind, ID: row.ID}
			}
		}
		return nil
	})
}

// EnrolSeal seals identities with cipher from now on, whose keys have these ids, the
// writing one first. Every key that the database lives by must be among them. A
// database that knows of none takes the writing one, and what stood there readable is
// sealed; on any other the cipher that writes under key is asked for by writing. Its
// error may be a *MissingSecret.
func (db *DB) EnrolSeal(ctx context.Context, ids []string, writing func(id string) (Cipher, error)) error {
	return db.enrolling(ctx, func() error {
		known, err := db.enrolled(ctx, sealKind)
		if err != nil {
			return err
		}
		if len(known) == 0 {
			return db.firstSeal(ctx, ids[0], writing)
		}
		writes := known[len(known)-1].ID
		for _, row := range known {
			if err := db.checkSeal(row, ids, writing); err != nil {
				return err
			}
			if row.ID == ids[0] {
				writes = row.ID
			}
		}
		cipher, err := writing(writes)
		db.seal = seal{cipher}
		return err
	})
}

func (db *DB) firstSeal(ctx context.Context, id string, writing func(string) (Cipher, error)) error {
	cipher, err := writing(id)
	if err != nil {
		return err
	}
	check, err := cipher.Seal([]byte(id), checkPlace(id))
	if err != nil {
		return fmt.Errorf("seal a check value: %w", err)
	}
	err = db.inTx(ctx, func(tx bun.Tx) error {
		if err := sealReadable(ctx, tx, seal{cipher}); err != nil {
			return fmt.Errorf("seal what is readable: %w", err)
		}
		return insert(ctx, tx, []enrolledRow{{Kind: sealKind, ID: id, Check: check}})
	})
	db.seal = seal{cipher}
	return err
}

func (db *DB) checkSeal(row enrolledRow, ids []string, writing func(string) (Cipher, error)) error {
	if slices.Contains(ids, row.ID) {
		cipher, err := writing(row.ID)
		if err != nil {
			return err
		}
		if _, err := cipher.Open(row.Check, checkPlace(row.ID)); err == nil {
			return nil
		}
	}
	return &MissingSecret{Kind: "seal key", ID: row.ID}
}

func checkPlace(id string) string { return "enrolled_secrets/" + id }

func (db *DB) enrolled(ctx context.Context, kind string) (rows []enrolledRow, err error) {
	if err := db.write.NewSelect().Model(&rows).Where("n.kind = ?", kind).Order("n.id").Scan(ctx); err != nil {
		return nil, fmt.Errorf("read which secrets are enrolled: %w", err)
	}
	return rows, nil
}

// enrolling keeps nodes that start at once from enrolling different secrets.
func (db *DB) enrolling(ctx context.Context, do func() error) (err error) {
	release, err := db.dialect.migrating(ctx, db.write)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	return do()
}

const sealedAtOnce = 500

// sealReadable seals what a database holds from before identities were sealed.
func sealReadable(ctx context.Context, tx bun.Tx, to seal) error {
	from := seal{}
	err := batches(ctx, tx, "l", func(row leadRow) (int64, error) {
		return int64(row.ID), resealLead(ctx, tx, row, from, to)
	})
	if err != nil {
		return err
	}
	return batches(ctx, tx, "s", func(row submissionRow) (int64, error) {
		return int64(row.ID), resealSubmission(ctx, tx, row, from, to)
	})
}

// batches hands over every row of a table in order of id, some at a time.
func batches[R any](ctx context.Context, tx bun.Tx, alias string, each func(R) (id int64, err error)) error {
	for last := int64(0); ; {
		var rows []R
		q := tx.NewSelect().Model(&rows).Where(alias+".id > ?", last).Order(alias + ".id").Limit(sealedAtOnce)
		if err := q.Scan(ctx); err != nil {
			return err
		}
		if len(rows) == 0 {
			return nil
		}
		for _, row := range rows {
			id, err := each(row)
			if err != nil {
				return err
			}
			last = id
		}
	}
}

func resealLead(ctx context.Context, tx bun.Tx, row leadRow, from, to seal) error {
	if len(row.Identity) == 0 {
		return nil // of a person who was let go
	}
	lead, err := from.lead(row)
	if err != nil {
		return err
	}
	if row, err = to.leadRow(lead); err != nil {
		return err
	}
	return write(ctx, tx, nil, []leadRow{row}, "identity")
}

func resealSubmission(ctx context.Context, tx bun.Tx, row submissionRow, from, to seal) error {
	if len(row.Identity) == 0 {
		return nil
	}
	submission, err := from.submission(row)
	if err != nil {
		return err
	}
	if row, err = to.submissionRow(submission); err != nil {
		return err
	}
	return write(ctx, tx, nil, []submissionRow{row}, "identity", "fields")
}
