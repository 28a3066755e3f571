package verify

import (
	"strconv"
	"strings"
)

// markers are the headers in which caches tell that they answered themselves. Each
// vendor has its own word, and all say HIT somewhere in it.
var markers = []string{
	"X-Cache", "X-Cache-Status", "X-Cache-Lookup", "X-Proxy-Cache", "X-Nginx-Cache", "X-Fastcgi-Cache", "X-Varnish-Cache",
	"CF-Cache-Status", "X-Vercel-Cache", "X-Drupal-Cache", "X-WP-Cache", "X-LiteSpeed-Cache", "X-Kinsta-Cache",
	"X-Sucuri-Cache", "X-Rocket-Nginx-Serving-Static", "X-CDN-Cache-Status", "CDN-Cache", "X-Cache-Hit", "X-EdgeConnect-Cache-Status",
	"X-Azure-Cache", "X-Iinfo-Cache", "Server-Timing",
}

// fromCache tells by what the answer shows that a cache gave it, and nothing when
// it does not. Age: 0 is what Varnish adds to an answer that it only passed on.
func (a answer) fromCache() string {
	if age, err := strconv.Atoi(strings.TrimSpace(a.header.Get("Age"))); err == nil && age > 0 {
		return "Age: " + strconv.Itoa(age)
	}
	for _, name := range markers {
		for _, value := range a.header.Values(name) {
			if saysHit(value) {
				return name + ": " + value
			}
		}
	}
	for _, value := range a.header.Values("Cache-Status") { // RFC 9211
		for entry := range strings.SplitSeq(value, ",") {
			for parameter := range strings.SplitSeq(entry, ";") {
				if strings.EqualFold(strings.TrimSpace(parameter), "hit") {
					return "Cache-Status: " + value
				}
			}
		}
	}
	// Varnish names two transactions where the second one's answer was kept.
	if ids := strings.Fields(a.header.Get("X-Varnish")); len(ids) > 1 {
		return "X-Varnish: " + a.header.Get("X-Varnish")
	}
	return ""
}

// saysHit finds the word by itself: "Hit from cloudfront", "HIT, HIT", "TCP_MEM_HIT",
// and what is served stale is no better. A "hit-for-miss" is none.
func saysHit(value string) bool {
	value = strings.ToUpper(value)
	value = strings.NewReplacer("HIT-FOR-MISS", "", "HIT-FOR-PASS", "").Replace(value)
	for _, word := range strings.FieldsFunc(value, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') }) {
		switch word {
		case "HIT", "REFRESHHIT", "STALE", "REVALIDATED", "UPDATING":
			return true
		}
	}
	return false
}
