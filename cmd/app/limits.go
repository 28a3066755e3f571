package app

import (
	"errors"
	"strconv"
	"time"

	"continuity/adapters/httpapi"
	"continuity/adapters/limit"
)

// inMemory is the RATE_STORE of a node that counts by itself.
const inMemory = "memory"

// Cap is a number of things a day. Zero is unlimited.
type Cap int

const mostCap = 1_000_000

// Decode reads a whole number or unlimited.
func (c *Cap) Decode(text string) error {
	if text == "unlimited" {
		*c = 0
		return nil
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n == 0 || n > mostCap {
		return errors.New("it must be a whole number from 1 to 1000000, or unlimited")
	}
	*c = Cap(n)
	return nil
}

func (p *problems) limits(c Config) {
	if _, err := httpapi.ParseProxies(c.TrustedProxies, ""); err != nil {
		p.say("TRUSTED_PROXIES", err.Error())
	}
	if _, err := httpapi.ParseProxies(nil, c.ClientIPHeader); err != nil {
		p.say("CLIENT_IP_HEADER", err.Error())
	}
	if c.RateStore.text == inMemory {
		return
	}
	if err := limit.CheckURL(c.RateStore.text); err != nil {
		p.say("RATE_STORE", err.Error())
	}
}

// limits are those of the public interface, in memory or at a Redis.
func (a *App) limits() (limits httpapi.Limits, err error) {
	c := a.config
	if c.RateStore.text != inMemory {
		if a.rates, err = limit.NewRedis(c.RateStore.text, a.deps.Logger); err != nil {
			return limits, err
		}
	}
	for _, one := range []struct {
		into *httpapi.Limiter
		kind string
		rate limit.Rate
	}{
		{&limits.PerKey, "key", c.RatePerKey},
		{&limits.PerIP, "ip", c.RatePerIP},
		{&limits.NewPerIP, "new", c.RateNewPerIP},
		{&limits.EventsPerAnchor, "events", limit.Rate{Count: int(c.MaxEventsPerAnchor), Per: 24 * time.Hour}},
	} {
		if one.rate.Count == 0 {
			continue
		}
		if *one.into, err = a.limiter(one.kind, one.rate); err != nil {
			return limits, err
		}
	}
	return limits, nil
}

func (a *App) limiter(kind string, rate limit.Rate) (httpapi.Limiter, error) {
	if a.rates != nil {
		return a.rates.Limit(kind, rate)
	}
	return limit.NewMemory(rate)
}

// WithoutLimits are the same settings with every limit off.
func (c Config) WithoutLimits() Config {
	c.RatePerKey, c.RatePerIP, c.RateNewPerIP, c.MaxEventsPerAnchor = limit.Rate{}, limit.Rate{}, limit.Rate{}, 0
	return c
}
