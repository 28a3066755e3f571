package limit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
)

const (
	// patience is how long Redis may take to count before it is away.
	patience = 100 * time.Millisecond
	// between is how long after one ping to a Redis that is away the next follows.
	between = time.Second
)

// Redis keeps the counts of several nodes.
type Redis struct {
	client   *redis.Client
	counts   *redis_rate.Limiter
	log      *slog.Logger
	patience time.Duration
	between  time.Duration

	away    atomic.Bool
	stop    context.CancelFunc
	stopped context.Context //nolint:containedctx // it ends with the value that holds it
}

// CheckURL says what is wrong with the URL of a Redis, without repeating it.
func CheckURL(url string) error {
	if _, err := parse(url); err != nil {
		return errors.New("must be memory or redis://user:password@host:port/0")
	}
	return nil
}

func parse(url string) (*redis.Options, error) {
	if !strings.HasPrefix(url, "redis://") && !strings.HasPrefix(url, "rediss://") {
		return nil, errors.New("no URL of a Redis")
	}
	return redis.ParseURL(url)
}

// NewRedis keeps counts at redis://… or rediss://…, which need not answer yet.
func NewRedis(url string, log *slog.Logger) (*Redis, error) {
	options, err := parse(url)
	if err != nil {
		return nil, fmt.Errorf("read the URL of the store for rates: %w", err)
	}
	// What the library would try again, with pauses, costs whoever waits more than
	// counting in memory.
	options.MaxRetries, options.DialerRetries = -1, 1
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = between, between, between
	options.ContextTimeoutEnabled = true
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	logging.Disable() // it would write every failed dial to standard error; lose says it once
	client := redis.NewClient(options)
	r := &Redis{client: client, counts: redis_rate.NewLimiter(client), log: log, patience: patience, between: between}
	r.stopped, r.stop = context.WithCancel(context.Background())
	return r, nil
}

// Away tells whether counting is in memory now.
func (r *Redis) Away() bool { return r.away.Load() }

// Close lets go of the connections.
func (r *Redis) Close() error {
	r.stop()
	return r.client.Close()
}

// Shared is a limit that several nodes hold together.
type Shared struct {
	redis  *Redis
	prefix string
	limit  redis_rate.Limit
	alone  *Memory // while Redis is away
}

// Limit is a limit of a rate that is not unlimited, apart from others by its kind.
func (r *Redis) Limit(kind string, rate Rate) (*Shared, error) {
	alone, err := NewMemory(rate)
	if err != nil {
		return nil, err
	}
	return &Shared{
		redis: r, prefix: "continuity:" + kind + ":", alone: alone,
		limit: redis_rate.Limit{Rate: rate.Count, Burst: rate.Count, Period: rate.Per},
	}, nil
}

// Take is that of Memory, for all nodes together.
func (s *Shared) Take(ctx context.Context, name string, n int) (wait time.Duration, ok bool) {
	if s.redis.away.Load() {
		return s.alone.Take(ctx, name, n)
	}
	// A caller who hangs up says nothing about Redis.
	asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.redis.patience)
	defer cancel()
	told, err := s.redis.counts.AllowN(asking, s.prefix+name, s.limit, n)
	if err != nil {
		s.redis.lose(err)
		return s.alone.Take(ctx, name, n)
	}
	return max(told.RetryAfter, 0), told.Allowed > 0
}

// lose notes that Redis is away, and looks for it beside the requests.
func (r *Redis) lose(err error) {
	if r.stopped.Err() != nil || !r.away.CompareAndSwap(false, true) {
		return
	}
	r.log.Warn("the store for rates is away: each node limits by itself", "error", err)
	go r.look()
}

func (r *Redis) look() {
	ticker := time.NewTicker(r.between)
	defer ticker.Stop()
	for {
		select {
		case <-r.stopped.Done():
			return
		case <-ticker.C:
		}
		asking, cancel := context.WithTimeout(r.stopped, r.between)
		err := r.client.Ping(asking).Err()
		cancel()
		if err == nil {
			r.away.Store(false)
			r.log.Info("the store for rates is back")
			return
		}
	}
}
