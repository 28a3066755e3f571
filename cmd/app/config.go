package app

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/kelseyhightower/envconfig"

	"continuity/adapters/limit"
)

// prefix begins the name of every setting in the environment.
const prefix = "CONTINUITY"

// Config holds every setting (§7). The names in the environment follow from the
// names of the fields: DataDir is CONTINUITY_DATA_DIR.
type Config struct {
	DatabaseURL string `default:"sqlite://continuity.db" split_words:"true"`
	DataDir     string `default:"./data"                 split_words:"true"`
	SecretsDir  string `default:"./secrets"              split_words:"true"`

	Listen      string `default:":8080"          split_words:"true"`
	AdminListen string `default:"127.0.0.1:8081" split_words:"true"`

	// PublicURL is where browsers find the public interface, for codes on trees.
	PublicURL string `split_words:"true"`

	Pepper     Secret `split_words:"true"`
	PepperFile string `split_words:"true"`
	// FurtherPepperFiles are other live peppers: while one takes over from another,
	// every node has both.
	FurtherPepperFiles []string `split_words:"true"`

	// SealKeys is a keyset in the JSON of Tink, under which identities are sealed.
	SealKeys     Secret `split_words:"true"`
	SealKeysFile string `split_words:"true"`

	Origins                []string `split_words:"true"`
	CookieName             string   `default:"bwlai_vk" split_words:"true"`
	CookieDomain           string   `split_words:"true"`
	CookieMaxAge           Period   `default:"400d"     split_words:"true"`
	CookieInsecureLoopback bool     `split_words:"true"`

	Destinations []string `split_words:"true"`
	HandoffTTL   Period   `default:"15m" split_words:"true"`
	HeldFor      Period   `default:"72h" split_words:"true"`

	Retention        Period `default:"730d" split_words:"true"`
	Appends          bool   `default:"true" split_words:"true"`
	AnonymousAnchors bool   `split_words:"true"`
	RespectGPC       bool   `split_words:"true"`

	LogFormat string     `default:"text"     split_words:"true"`
	LogLevel  slog.Level `default:"info"     split_words:"true"`
	Demo      bool       `split_words:"true"`
	DemoWASM  bool       `split_words:"true"`
	// DemoListen is where the demonstration's portal is, an origin of its own.
	DemoListen string `default:"127.0.0.1:8082" split_words:"true"`

	TrustedProxies []string `split_words:"true"`
	ClientIPHeader string   `split_words:"true"`

	RatePerKey         limit.Rate `default:"60/m"   split_words:"true"`
	RatePerIP          limit.Rate `default:"1200/m" split_words:"true"`
	RateNewPerIP       limit.Rate `default:"120/m"  split_words:"true"`
	RateStore          Secret     `default:"memory" split_words:"true"`
	MaxEventsPerAnchor Cap        `default:"5000"   split_words:"true"`
}

// Misconfigured says what is wrong with the settings, one problem a line. No
// secret is repeated.
type Misconfigured struct{ Problems []string }

// Error lists the problems.
func (m *Misconfigured) Error() string {
	return "the settings are not usable:\n  " + strings.Join(m.Problems, "\n  ")
}

// Load reads the settings from the environment and checks them. Its error is a *Misconfigured.
func Load() (Config, error) {
	var c Config
	known, err := names(&c)
	if err != nil {
		return c, err
	}
	problems := unknown(known, os.Environ())
	if err := envconfig.Process(prefix, &c); err != nil {
		return c, &Misconfigured{Problems: append(problems, explain(err))}
	}
	if problems = append(problems, c.problems()...); len(problems) > 0 {
		return c, &Misconfigured{Problems: problems}
	}
	return c, nil
}

// Defaults are the settings of an empty environment.
func Defaults() Config {
	return Config{
		DatabaseURL: "sqlite://continuity.db", DataDir: "./data", SecretsDir: "./secrets",
		Listen: ":8080", AdminListen: "127.0.0.1:8081",
		CookieName: "bwlai_vk", CookieMaxAge: 400 * day,
		HandoffTTL: 15 * minute, HeldFor: 3 * day, Retention: 730 * day, Appends: true,
		LogFormat: "text", DemoListen: "127.0.0.1:8082",
		RatePerKey: limit.Rate{Count: 60, Per: time.Minute}, RatePerIP: limit.Rate{Count: 1200, Per: time.Minute},
		RateNewPerIP: limit.Rate{Count: 120, Per: time.Minute}, RateStore: NewSecret(inMemory), MaxEventsPerAnchor: 5000,
	}
}

// Check is nil for settings that can be served with, else a *Misconfigured.
func (c Config) Check() error {
	if problems := c.problems(); len(problems) > 0 {
		return &Misconfigured{Problems: problems}
	}
	return nil
}

// explain tells of a value that could not be read, without the value.
func explain(err error) string {
	if parse, ok := errors.AsType[*envconfig.ParseError](err); ok {
		if parse.TypeName == "bool" {
			return parse.KeyName + " must be true or false"
		}
		return fmt.Sprintf("%s cannot be used: %v", parse.KeyName, parse.Err)
	}
	return err.Error()
}
