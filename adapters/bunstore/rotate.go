package bunstore

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"continuity/domain/fault"
	"continuity/domain/identity"
)

// rotatedAtOnce bounds how many rows a rotation holds in one transaction.
const rotatedAtOnce = 200

// SealKey is the key under which a rotation seals.
type SealKey struct {
	ID     string
	Mark   []byte // how everything begins that it sealed
	Cipher Cipher // it writes, and reads what the others wrote
}

// RotateSeal seals everything under key that is sealed under another, some rows at a
// time and beside everything else; what was done before it was stopped stays done.
// From its beginning every node has to have the key. With retire the database then
// lives by that key alone. progress is told how many rows each step sealed.
func (db *DB) RotateSeal(ctx context.Context, key SealKey, retire bool, progress func(int)) error {
	check, err := key.Cipher.Seal([]byte(key.ID), checkPlace(key.ID))
	if err != nil {
		return fmt.Errorf("seal a check value: %w", err)
	}
	row := enrolledRow{Kind: sealKind, ID: key.ID, Check: check}
	if err := claimEach(ctx, db.write, []enrolledRow{row}); err != nil {
		return db.outward(fmt.Errorf("enrol a seal key: %w", err))
	}
	to := seal{key.Cipher}
	const other = "length(?0.identity) > 0 AND substr(?0.identity, 1, 5) <> ?1"
	err = rotate(ctx, db, "l", other, key.Mark, func(tx bun.Tx, row leadRow) (int64, error) {
		return int64(row.ID), resealLead(ctx, tx, row, to, to)
	}, progress)
	if err != nil {
		return err
	}
	err = rotate(ctx, db, "s", other, key.Mark, func(tx bun.Tx, row submissionRow) (int64, error) {
		return int64(row.ID), resealSubmission(ctx, tx, row, to, to)
	}, progress)
	if err != nil || !retire {
		return err
	}
	return db.retire(ctx, sealKind, []string{key.ID})
}

// rotate does something to every row that a condition finds, in order of id.
func rotate[R any](
	ctx context.Context, db *DB, alias, where string, arg any, do func(bun.Tx, R) (int64, error), progress func(int),
) error {
	for last := int64(0); ; {
		var rows []R
		err := db.repeat(ctx, func(tx bun.Tx) error {
			rows = nil
			q := tx.NewSelect().Model(&rows).Where("?.id > ?", bun.Ident(alias), last).
				Where(where, bun.Ident(alias), arg).OrderExpr("?.id", bun.Ident(alias)).Limit(rotatedAtOnce)
			if err := db.dialect.lock(q, alias).Scan(ctx); err != nil {
				return err
			}
			from := last
			for _, row := range rows {
				id, err := do(tx, row)
				if err != nil {
					return err
				}
				from = id
			}
			last = from
			return nil
		})
		if err != nil {
			return db.outward(fmt.Errorf("rotate: %w", err))
		}
		if len(rows) == 0 {
			return nil
		}
		progress(len(rows))
	}
}

// RotatePeppers writes every lead under all of these peppers, some at a time and
// beside everything else. From its beginning every node has to have them. With retire
// the database then lives by these alone, and forgets every other key.
func (db *DB) RotatePeppers(ctx context.Context, peppers identity.Peppers, retire bool, progress func(int)) error {
	rows, ids := make([]enrolledRow, len(peppers)), make([]string, len(peppers))
	for i, pepper := range peppers {
		rows[i], ids[i] = enrolledRow{Kind: pepperKind, ID: pepper.ID()}, pepper.ID()
	}
	if err := claimEach(ctx, db.write, rows); err != nil {
		return db.outward(fmt.Errorf("enrol peppers: %w", err))
	}
	for _, id := range ids {
		const lacking = "length(?0.identity) > 0 AND NOT EXISTS (SELECT 1 FROM lead_keys AS k WHERE k.lead_id = ?0.id AND k.pepper_id = ?1)"
		err := rotate(ctx, db, "l", lacking, id, func(tx bun.Tx, row leadRow) (int64, error) {
			return int64(row.ID), db.rekey(ctx, tx, row, peppers)
		}, progress)
		if err != nil {
			return err
		}
	}
	if !retire {
		return nil
	}
	for {
		result, err := db.write.ExecContext(ctx, `DELETE FROM lead_keys WHERE (pepper_id, email_hmac) IN (
			SELECT pepper_id, email_hmac FROM lead_keys WHERE pepper_id NOT IN (?) LIMIT ?)`, bun.In(ids), rotatedAtOnce)
		if err != nil {
			return db.outward(fmt.Errorf("forget keys under an old pepper: %w", err))
		}
		n, err := result.RowsAffected()
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
		progress(int(n))
	}
	return db.retire(ctx, pepperKind, ids)
}

// rekey writes a lead under every pepper, of the address that is sealed in it.
func (db *DB) rekey(ctx context.Context, tx bun.Tx, row leadRow, peppers identity.Peppers) error {
	lead, err := db.seal.lead(row)
	if err != nil {
		return err
	}
	email, err := identity.NormalizeEmail(string(lead.Person.Email))
	if err != nil {
		return fault.New(fault.Invalid, "", fmt.Sprintf("the address of lead %d is none any more", row.ID))
	}
	var keys []leadKeyRow
	for _, key := range peppers.Keys(email) {
		keys = append(keys, leadKeyRow{PepperID: key.Pepper, EmailHMAC: key.HMAC[:], LeadID: row.ID})
	}
	return claimEach(ctx, tx, keys)
}

// retire leaves a database living by these secrets alone.
func (db *DB) retire(ctx context.Context, kind string, ids []string) error {
	_, err := db.write.NewDelete().Model((*enrolledRow)(nil)).
		Where("n.kind = ?", kind).Where("n.id NOT IN (?)", bun.In(ids)).Exec(ctx)
	return db.outward(err)
}
