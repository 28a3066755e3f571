package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Template makes the database called name once: prepare is handed its URL, brings it to the state that clones
// shall start from, and closes its connections. Later calls with that name do nothing. When prepare fails the
// database is removed and its error returned, so that a later call may try again.
func (c *Cluster) Template(name string, prepare func(url string) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.templates[name] {
		return nil
	}
	ctx := context.Background()
	if err := c.admin(ctx, "CREATE DATABASE "+quoted(name)); err != nil {
		return fmt.Errorf("create the template %s: %w", name, err)
	}
	if err := prepare(c.URL(name)); err != nil {
		return errors.Join(fmt.Errorf("prepare the template %s: %w", name, err), c.drop(ctx, name))
	}
	// Cloning fails while anybody is connected to the template.
	if err := c.admin(ctx, "ALTER DATABASE "+quoted(name)+" WITH IS_TEMPLATE true ALLOW_CONNECTIONS false"); err != nil {
		return fmt.Errorf("mark the template %s: %w", name, err)
	}
	c.templates[name] = true
	return nil
}

// Database makes a database that nobody else uses, as a clone of a template made before, or an empty one when
// template is "", in a tenth of a second or two. It returns its URL, and drop, which removes it whoever is still
// connected.
func (c *Cluster) Database(ctx context.Context, template string) (url string, drop func() error, err error) {
	name := "spec_" + strings.ToLower(rand.Text())
	if template == "" {
		template = "template0"
	}
	if err := c.admin(ctx, "CREATE DATABASE "+quoted(name)+" TEMPLATE "+quoted(template)); err != nil {
		return "", nil, fmt.Errorf("clone %s: %w", template, err)
	}
	return c.URL(name), func() error { return c.drop(context.Background(), name) }, nil
}

func (c *Cluster) drop(ctx context.Context, name string) error {
	if err := c.admin(ctx, "DROP DATABASE IF EXISTS "+quoted(name)+" WITH (FORCE)"); err != nil {
		return fmt.Errorf("drop %s: %w", name, err)
	}
	return nil
}

// admin runs one statement as the superuser, on a connection of its own: a kept one would not outlive a crash.
func (c *Cluster) admin(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, c.URL("postgres"))
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, statement)
	return errors.Join(err, conn.Close(ctx))
}

func quoted(name string) string {
	return pgx.Identifier{name}.Sanitize()
}
