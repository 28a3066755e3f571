package journey

import (
	"maps"
	"slices"
	"strings"
)

// The bounds of a campaign: utm names in one URL, bytes of a name, bytes of a value.
const (
	maxUTM           = 16
	maxCampaignName  = 64
	maxCampaignValue = 256
)

// Campaign is what a URL's query says of how the visitor came: utm_ parameters
// and click ids, by name in lower case. A utm value is trimmed and in lower case,
// so that "LinkedIn" and "linkedin" are one source; where that changed it, the
// value as it was sent stands beside it under the name with "_raw". A click id is
// opaque and kept as it is. Of a name that comes twice the first non-empty value
// counts.
type Campaign map[string]string

// clickIDs are the parameters by which advertisers name a click. Those that name
// the reader of a mail are left out on purpose: they identify a person.
var clickIDs = map[string]bool{
	"gclid": true, "gbraid": true, "wbraid": true, "gclsrc": true, "dclid": true, // Google Ads, Display
	"gad_source": true, "gad_campaignid": true, "srsltid": true, // Google Ads, Shopping
	"fbclid": true, "igshid": true, "igsh": true, // Facebook, Instagram
	"msclkid": true, "ttclid": true, "twclid": true, // Microsoft, TikTok, X
	"li_fat_id": true, "epik": true, "sccid": true, "rdt_cid": true, // LinkedIn, Pinterest, Snapchat, Reddit
	"yclid": true, "ysclid": true, "ymclid": true, "vmcid": true, // Yandex, Yahoo
	"ndclid": true, "qclid": true, "obclid": true, "tblci": true, "dicbo": true, // Nextdoor, Quora, Outbrain, Taboola
	"irclickid": true, "awc": true, "cjevent": true, "rtid": true, "syclid": true, // Impact, Awin, CJ, Rokt
	"rb_clickid": true, "bsft_clkid": true, "unicorn_click_id": true, "sms_click": true,
	"ef_id": true, "s_kwcid": true, "mkwid": true, // Adobe, Marin
}

// campaignOf reads a raw query, form-encoded.
func campaignOf(query string) (c Campaign) {
	utm := 0
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		name, value, _ := strings.Cut(strings.TrimPrefix(pair, "amp;"), "=")
		if value == "" || len(name) > 3*maxCampaignName {
			continue
		}
		name = strings.ToLower(strings.TrimSpace(formDecode(name)))
		isUTM := isUTMName(name)
		if _, twice := c[name]; twice || !isUTM && !clickIDs[name] || isUTM && utm == maxUTM {
			continue
		}
		// Addresses are looked for before "+" becomes a space, which would split them.
		value = scrub(formDecode(RedactEmails(value)), maxCampaignValue)
		if strings.TrimSpace(value) == "" {
			continue
		}
		if c == nil {
			c = Campaign{}
		}
		if !isUTM {
			c[name] = value
			continue
		}
		utm++
		c.putUTM(name, value)
	}
	return c
}

func (c Campaign) putUTM(name, raw string) {
	folded := cut(strings.ToLower(strings.TrimSpace(raw)), maxCampaignValue)
	c[name] = folded
	if folded != raw {
		c[name+rawSuffix] = raw
	}
}

const rawSuffix = "_raw"

// isUTMName reports any utm_ name in lower case, but for those that stand beside
// one of ours.
func isUTMName(name string) bool {
	rest, ok := strings.CutPrefix(name, "utm_")
	if !ok || rest == "" || len(name) > maxCampaignName || strings.HasSuffix(rest, rawSuffix) {
		return false
	}
	return strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz0123456789_-.") == ""
}

// formDecode undoes form encoding once; what is malformed stays as it is.
func formDecode(text string) string {
	if strings.IndexByte(text, '%') < 0 && strings.IndexByte(text, '+') < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		switch b := escaped(text[i:]); {
		case b >= 0:
			out = append(out, byte(b))
			i += 2
		case text[i] == '+':
			out = append(out, ' ')
		default:
			out = append(out, text[i])
		}
	}
	return string(out)
}

// JSON is a flat object with sorted names, "" when there is no campaign.
func (c Campaign) JSON() string {
	if len(c) == 0 {
		return ""
	}
	out := append(make([]byte, 0, 256), '{')
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = appendString(out, name)
		out = append(out, ':')
		out = appendString(out, c[name])
	}
	return string(append(out, '}'))
}
