package replay

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"
)

// Options is what a replay needs to know. Log and URL are required; the zero
// value of anything else takes its default.
type Options struct {
	Log          string        // file name, or "-" for Stdin
	Stdin        io.Reader     // what "-" reads
	URL          string        // the public side, such as https://www.example.org
	AdminURL     string        // the private side; empty: play only, compare nothing
	Token        string        // a token with the scope leads:read
	Site         string        // put in front of the log's paths; default https://www.example.org
	CookieName   string        // default bwlai_vk
	Seed         uint64        // the same seed and log give the same plan
	Limit        int           // rows of the log to play; 0: all
	Concurrency  int           // devices at a time; default 16
	Gap          time.Duration // silence that ends a session; default 30 minutes
	Tolerance    time.Duration // how far corrected times may be off; default 5 seconds
	Patience     time.Duration // how long one request waits for a busy service in all; default 5 minutes
	Differences  int           // differences that are listed; default 20 (all are counted)
	ForwardedFor bool          // send the log's address as X-Forwarded-For, for a service that trusts this machine as its proxy
	Trees        int           // of a replay of scans: how many trees the paths are spread over; default 1
	Progress     io.Writer     // where a progress bar goes; nil: none
}

func (o Options) complete() (Options, error) {
	o.Site = strings.TrimRight(cmp.Or(o.Site, "https://www.example.org"), "/")
	o.CookieName = cmp.Or(o.CookieName, "bwlai_vk")
	o.Concurrency = cmp.Or(o.Concurrency, 16)
	o.Gap = cmp.Or(o.Gap, 30*time.Minute)
	o.Tolerance = cmp.Or(o.Tolerance, 5*time.Second)
	o.Patience = cmp.Or(o.Patience, 5*time.Minute)
	o.Differences = cmp.Or(o.Differences, 20)
	o.URL = strings.TrimRight(o.URL, "/")
	o.AdminURL = strings.TrimRight(o.AdminURL, "/")
	return o, o.check()
}

func (o Options) check() error {
	if o.Log == "" {
		return errors.New("log: name a file, or - for standard input")
	}
	if o.Log == "-" && o.Stdin == nil {
		return errors.New("log: there is no standard input to read")
	}
	if o.AdminURL != "" && o.Token == "" {
		return errors.New("token: comparing needs one with the scope leads:read")
	}
	for _, err := range []error{
		o.checkNumbers(), checkAddress("url", o.URL), checkAddress("admin url", cmp.Or(o.AdminURL, o.URL)), checkAddress("site", o.Site),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func (o Options) checkNumbers() error {
	if o.Limit < 0 || o.Concurrency < 0 || o.Gap < 0 || o.Tolerance < 0 || o.Patience < 0 || o.Differences < 0 {
		return errors.New("no number or duration may be negative")
	}
	return nil
}

func checkAddress(name, value string) error {
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("%s: must be an http or https address", name)
	}
	return nil
}
