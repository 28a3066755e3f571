package identity

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"continuity/domain/fault"
)

// NormaliserVersion names the rules of NormalizeEmail. A change of them that can
// give a known address another canonical form must raise it: the pepper's id
// carries it (R3), so that hashes made under other rules are never compared.
const NormaliserVersion = 1

// The limits of a canonical address, in octets (RFC 5321 §4.5.3.1, erratum 1690).
const (
	maxLocal   = 64
	maxAddress = 254
	maxDomain  = 253
	maxLabel   = 63

	// maxUnmapped bounds what is given to the IDNA mapping, whose cost grows
	// faster than its input; no longer text maps to 253 octets.
	maxUnmapped = 8 * maxDomain
)

// Email is a canonical address; only NormalizeEmail makes one.
type Email string

// domains is UTS-46, non-transitional ("ß" is a letter of its own, as browsers
// have it), with the STD3 set of letters, the bidi and joiner rules, and no
// hyphens at a label's edges or in its third and fourth place (RFC 5891 §4.2.3.1).
var domains = idna.New(
	idna.MapForLookup(),
	idna.Transitional(false),
	idna.StrictDomainName(true),
	idna.BidiRule(),
)

// NormalizeEmail gives the canonical form of one plain address, by R3. It never
// folds what might be two mailboxes: plus tags, dots and look-alikes stay.
//
// Where R3 is silent:
//   - What stands in a mailto: link is percent-encoded (RFC 6068) and is decoded
//     once; a malformed escape in it is rejected, as is mailto:// .
//   - A domain of one label ("ana@localhost") is an address: RFC 5321 has it, and
//     intranets use it. A last label of digits only is an IP address, and is not.
//   - Inside the address no code point may be invisible or unassigned: controls,
//     format characters, variation selectors, fillers and private use are
//     rejected, and so is U+FFFD, which stands for bytes that were lost.
//   - The capital sharp s maps to the small one, as UTS-46 has it since its
//     revision 31; older tables make it "ss", which is another domain.
//   - NFC is applied once more after lower-casing, because "H" with a macron
//     below has no composed form and "h" with one does.
//
// The error is a *fault.Error with code Rejected for the field identity.email.
func NormalizeEmail(raw string) (Email, error) {
	if !utf8.ValidString(raw) {
		return "", rejected("is not valid UTF-8")
	}
	text, ok := withoutMailto(trim(raw))
	if !ok {
		return "", rejected("is not a readable mailto link")
	}
	text = norm.NFC.String(trim(text))
	if text == "" {
		return "", rejected("is empty")
	}
	if strings.ContainsFunc(text, unseen) {
		return "", rejected("holds white space or characters that cannot be seen")
	}
	local, domain, ok := strings.Cut(text, "@")
	if !ok || strings.Contains(domain, "@") {
		return "", rejected("must be one address with one @")
	}
	local, err := canonicalLocal(local)
	if err != nil {
		return "", err
	}
	domain, err = canonicalDomain(domain)
	if err != nil {
		return "", err
	}
	if len(local)+1+len(domain) > maxAddress {
		return "", rejected("is longer than 254 octets")
	}
	return Email(local + "@" + domain), nil
}

func rejected(message string) error {
	return fault.New(fault.Rejected, "identity.email", message)
}

// trim drops white space, line breaks and format characters from both ends.
func trim(text string) string {
	return strings.TrimFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)
	})
}

// withoutMailto drops the scheme and the query of a mailto link and decodes the
// address in it; any other text stays as it is.
func withoutMailto(text string) (string, bool) {
	const scheme = "mailto:"
	if len(text) < len(scheme) || !strings.EqualFold(text[:len(scheme)], scheme) {
		return text, true
	}
	text, _, _ = strings.Cut(text[len(scheme):], "?")
	if strings.HasPrefix(text, "//") {
		return "", false
	}
	text, err := url.PathUnescape(text)
	return text, err == nil && utf8.ValidString(text)
}

// unseen reports a code point that no address holds: one without a glyph or a
// meaning of its own, and U+FFFD.
func unseen(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' ' || r == 0x7f
	}
	return r == utf8.RuneError || unicode.IsSpace(r) || !unicode.IsGraphic(r) ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// canonicalLocal checks a dot-atom (RFC 5322 §3.2.3, RFC 6532 for what is not
// ASCII) and lower-cases its ASCII letters.
func canonicalLocal(local string) (string, error) {
	if local == "" {
		return "", rejected("has nothing before the @")
	}
	if local[0] == '.' || local[len(local)-1] == '.' || strings.Contains(local, "..") {
		return "", rejected("has a dot out of place before the @")
	}
	if strings.ContainsAny(local, `"(),:;<>[\]`) {
		return "", rejected("must be one plain address, without quotes, names or separators")
	}
	local = norm.NFC.String(strings.Map(lowerASCII, local))
	if len(local) > maxLocal {
		return "", rejected("has more than 64 octets before the @")
	}
	return local, nil
}

func lowerASCII(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

// canonicalDomain maps a domain to lower-case ASCII and drops one trailing dot.
func canonicalDomain(domain string) (string, error) {
	if len(domain) > maxUnmapped {
		return "", rejected("has a domain that is too long")
	}
	ascii, err := domains.ToASCII(strings.ReplaceAll(domain, "\u1e9e", "ß"))
	if err != nil {
		return "", rejected("has a domain that cannot exist")
	}
	ascii = strings.TrimSuffix(ascii, ".")
	if len(ascii) > maxDomain {
		return "", rejected("has a domain that is too long")
	}
	last := ""
	for label := range strings.SplitSeq(ascii, ".") {
		if label == "" || len(label) > maxLabel {
			return "", rejected("has a domain with an empty or too long label")
		}
		last = label
	}
	if strings.Trim(last, "0123456789") == "" {
		return "", rejected("has an IP address for a domain")
	}
	return ascii, nil
}
