package app

import (
	"slices"
	"strings"

	"github.com/kelseyhightower/envconfig"
)

// names are the settings of a struct, as the environment has them, in order. They
// come from envconfig's own table, which only its usage text shows.
func names(settings any) ([]string, error) {
	var list strings.Builder
	if err := envconfig.Usagef(prefix, settings, &list, "{{range .}}{{usage_key .}}\n{{end}}"); err != nil {
		return nil, err
	}
	found := strings.Fields(list.String())
	slices.Sort(found)
	return found, nil
}

// elsewhere are names with our prefix that say where a service in use is reached,
// to what speaks to it from outside.
var elsewhere = []string{prefix + "_URL", prefix + "_ADMIN_URL", prefix + "_ADMIN_TOKEN"}

// unknown complains of every variable with our prefix that is no setting.
func unknown(known, environ []string) (problems []string) {
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, prefix+"_") || slices.Contains(known, name) || slices.Contains(elsewhere, name) {
			continue
		}
		problem := name + " is no setting"
		if near := nearest(name, known); near != "" {
			problem += "; did you mean " + near + "?"
		}
		problems = append(problems, problem)
	}
	slices.Sort(problems)
	return problems
}

// nearest is the known name that takes the fewest edits, if they are few.
func nearest(name string, known []string) string {
	best, edits := "", 4
	for _, candidate := range known {
		if d := distance(name, candidate); d < edits {
			best, edits = candidate, d
		}
	}
	return best
}

// distance is Levenshtein's.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
