package scan

import (
	"regexp"
	"strings"
)

// Automated says whether a User-Agent names a program that no person looks
// through: a crawler, a link preview, a monitor, an HTTP client, a headless
// browser, or nothing at all.
//
// The rules are general words and forms: what such programs call themselves, how
// they say whom to complain to, and what a browser's own text always has. A list of
// names would be out of date on the day it is written.
func Automated(userAgent string) bool {
	text := strings.ToLower(strings.TrimSpace(userAgent))
	if len(text) < shortestAgent || len(text) > longestAgent {
		return true
	}
	if strings.HasPrefix(userAgent, "mozilla/") {
		return true // every browser writes Mozilla
	}
	text = olden.ReplaceAllString(text, "like gecko")
	words := innocent.ReplaceAllString(text, " ")
	switch {
	case contact.MatchString(words), trade.MatchString(words), library.MatchString(words):
		return true
	case !handheld.MatchString(text) && (errand.MatchString(words) || site.MatchString(words)):
		return true
	}
	return !browser(text)
}

// The bounds of what a browser sends, in bytes.
const (
	shortestAgent = 6
	longestAgent  = 4096
)

// innocent are parts of what people's devices send that hold one of the words:
// CUBOT makes telephones, and the apps of networks tell all about them.
var innocent = regexp.MustCompile(`cubot|\[fb[^\]]*\]|\[linkedinapp\]|com\.(apple|google)\.[a-z.]+|[a-z0-9+/=&]{40,}`)

// olden is how early browsers on WebKit ended the phrase.
var olden = regexp.MustCompile(`like gecko, (safari|like)`)

// contact is how a program says whom to complain to.
var contact = regexp.MustCompile(`https?:|www\.|[a-z0-9]@[a-z0-9-]+\.[a-z]{2}|mailto:|[(\[]at[)\]]`)

// trade is what programs call themselves, on whatever device they claim to be.
var trade = regexp.MustCompile(`bot\b|bot[^a-z]|bots|robot|crawl|spider|slurp|scrap|monitor|preview|unfurl|headless|` +
	`harvest|archiv|aggregat|feed|\brss|sitemap|metadata|` +
	`uptime|pingdom|\bping\b|synthetic|screenshot|thumbnail|lighthouse|weblight|favicon|` +
	`semantic|transcod|webdriver|selenium|puppeteer|playwright|cypress|` +
	`mediapartners|-google\b|\bgoogle-|\bptst/|devtools|observatory`)

// library are the languages and libraries that programs fetch with.
var library = regexp.MustCompile(`curl|wget|\blwp|httpclient|http[-_ ]client|urllib|python|\bperl|\bruby|\bphp|\bgo[- ]http|golang|` +
	`\bnode\b|node[-.]?(fetch|js)|axios|undici|okhttp|guzzle|aiohttp|httpx|faraday|typhoeus|mechanize|winhttp|jakarta|powershell|` +
	`postman|insomnia|reqwest|rest-?client|\bjava/|\bapache-|^java|\bhttp/|\bhttpie`)

// handheld are the devices that people stand before a tree with. What an app on
// one of them calls itself says little: a person may look for things, or scan them.
var handheld = regexp.MustCompile(`android|iphone|ipad|ipod|\bios\b|; wv\)|mobile/|cfnetwork|midp|windows phone|up\.browser|fbav/|; msie [4-9]|trident/`)

// errand is what a program does on its own and an app does for a person.
var errand = regexp.MustCompile(`fetch|scan|check|prob(e|er|ing)\b|valid|verif|index|extract|download|grab|mirror|copier|collect|` +
	`reader|pars(e|er|ing)\b|analy[sz]|audit|survey|research|inspect|test\b|tester|testing|benchmark|perf|speed|optimizer|` +
	`watch|alert|status|health|render|snapshot|capture|` +
	`search|\bseo|rank|\blink[^s]|proxy|gateway|relay|prefetch|translat|convert|` +
	`\bagent|-agent|agent/|worker|daemon|script|automat|phantom|splash|` +
	`\bai\b|gpt|llm|\bapi\b|\bcli\b|webhook|callback|\bsite|vuln|hack|attack|recon|finder|resolver|tools?\b|visit|batch|` +
	`advis|friendly|insight|trend`)

// site is a name in the domain name system.
var site = regexp.MustCompile(`[a-z][a-z0-9-]+\.(com|net|org|io|info|co|eu|me|de|fr|ru|uk|nl|ai|app|dev|gy|cz|sk|pl|es|it|jp|cn)\b`)

// browser says whether a text has the form of one that a person looks through.
func browser(text string) bool {
	rest, ok := strings.CutPrefix(text, "mozilla/")
	if !ok {
		return platform.MatchString(text)
	}
	_, inside, ok := strings.Cut(rest, "(")
	return ok && !foreign.MatchString(text) && system.MatchString("("+inside)
}

// system is what a device calls what it runs.
var system = regexp.MustCompile(systems)

// platform is that, or an engine or a maker that is older than such names.
var platform = regexp.MustCompile(systems + `|cfnetwork|applewebkit|opera|nokia|samsung|sonyericsson|\bmot-|up\.browser|ucbrowser|ucweb|msie|` +
	`microsoft office|outlook|netfront|series60|lynx|links \(|elinks|mosaic|fbav/|player|quicktime|\bhtc|\bwin(10|11|32|64)\b|instagram|pinterest|googleapp`)

const systems = `android|iphone|ipad|ipod|\bios\b|darwin|windows|macintosh|mac os|mac_powerpc|x11|linux|symbian|` +
	`midp|blackberry|\bbb10|playstation|nintendo|xbox|roku|smart-?tv|webos|tizen|cros |amiga|morphos|beos|haiku|bsd\b|sunos|` +
	`os/2|ms-office|konqueror|msie|kindle|palm|syllable|inferno|samsung|s60|series ?[46]0|crkey|bada|kaios|maemo|\bbrew|hbbtv|netcast|web0s|\bpsp\b|j2me|risc os|irix|hp-ux|\baix\b|\bqnx|` +
	`docomo|softbank|huawei|\blge?[-/ ]|\bzte|alcatel|[(; ]en[-;)]|rv:[0-9]`

// foreign is a name where a browser's text only says like Gecko.
var foreign = regexp.MustCompile(`like gecko *[;,] *[a-z]|like gecko [a-z]|[0-9]mqqbrowser`)
