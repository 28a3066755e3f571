package capture

// Control is one control of a marked form as the browser gives it. Off says
// that it is disabled or an unchecked box, Mark is the site's own word for it.
type Control struct {
	Name, Type, Autocomplete, Mark, Value string
	Off                                   bool
}

// Submit posts identity and journey beside the site's own submit. A form
// without an e-mail address identifies nobody and is noted only.
func (c *Client) Submit(form string, controls []Control) {
	c.do(func() {
		c.note(FormSubmit, object(pair{"form", Text(form)}))
		who, fields := sorted(controls)
		if who[email] == "" {
			return
		}
		extra := `,"id":` + quoted(c.env.NewID()) + `,"form":` + quoted(form) +
			`,"identity":` + object(identity(who)...) + `,"fields":` + object(fields...)
		c.request(job{path: SubmissionPath, extra: extra})
	})
}

// What a control may say about the person.
const (
	email = iota
	full
	phone
	givenName
	familyName
	roles
)

type person [roles]string

func identity(who person) []pair {
	called := who[full]
	if called == "" {
		called = who[givenName]
		if who[familyName] != "" {
			called += " " + who[familyName]
		}
	}
	pairs := []pair{{"email", who[email]}, {"name", called}}
	if who[phone] != "" {
		pairs = append(pairs, pair{"phone", who[phone]})
	}
	return pairs
}

// sorted splits a form into the person and the rest. Passwords, cards, files and
// hidden fields are in neither.
func sorted(controls []Control) (who person, fields []pair) {
	for _, k := range controls {
		if k.Value == "" || k.Off || isSecret(k) {
			continue
		}
		if role := roleOf(k); role < roles {
			if who[role] == "" {
				who[role] = cut(k.Value, MaxValue)
			}
			continue
		}
		if k.Name != "" && !isCardNumber(k.Value) {
			fields = join(fields, k.Name, k.Value)
		}
	}
	return who, asJavaScriptOrders(fields)
}

// join adds a field; several values of one name stand in one, as boxes do.
func join(fields []pair, key, value string) []pair {
	for i := range fields {
		if fields[i].name == key {
			fields[i].value = cut(fields[i].value+", "+value, MaxField)
			return fields
		}
	}
	return append(fields, pair{key, cut(value, MaxField)})
}
