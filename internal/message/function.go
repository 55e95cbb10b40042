package message

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/assay-eval/assay"
)

// functions are what templates can call, besides those of text/template.
var functions = template.FuncMap{
	"plural": plural, "counted": counted, "count": count, "join": strings.Join, "joined": joined, "upper": upper, "values": values,
	"add": func(a, b int) int { return a + b }, "sub": func(a, b int) int { return a - b },
	"figure": Figure, "unusable": unusable, "names": names, "chance": chance, "byQuestion": assay.ByQuestion,
	"day":     func(t time.Time) string { return t.UTC().Format(time.DateOnly) },
	"percent": func(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) },
}

// plural counts things: "1 case", "3 cases".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// counted is plural with commas between thousands.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// count formats a number with commas: "1,480".
func count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// joined joins the texts that are not empty.
func joined(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), separator)
}

// upper changes the first letter of a sentence to upper case.
func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// values makes the values of a message from names and values in turn.
func values(pairs ...any) (V, error) {
	v := V{}
	for i := 0; i+1 < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			return nil, fmt.Errorf("values: %v is not a name", pairs[i])
		}
		v[name] = pairs[i+1]
	}
	return v, nil
}

// Figure formats a measured number with its interval: "0.83 ± 0.02", "0.97 (0.91…0.99)" if
// the interval is not even, "0.83" without one, and "" if it is undefined.
func Figure(f assay.Figure) string {
	if f.Value == nil {
		return ""
	}
	text := strconv.FormatFloat(*f.Value, 'f', 2, 64)
	if f.CI == nil {
		return text
	}
	// As they are shown, so that what is read off "±" is the interval.
	hundredths := func(v float64) float64 { return math.Round(100 * v) }
	at, low, high := hundredths(*f.Value), hundredths(f.CI[0]), hundredths(f.CI[1])
	if at-low == high-at {
		return fmt.Sprintf("%s ± %.2f", text, (high-at)/100)
	}
	return fmt.Sprintf("%s (%.2f…%.2f)", text, f.CI[0], f.CI[1])
}

// unusable returns the share of unusable replies of a judge if it is more than 1 %, else "".
func unusable(c *assay.Certificate) string {
	if v := c.Unusable.Value; v != nil && *v > 0.01 {
		return fmt.Sprintf("%.1f %%", 100**v)
	}
	return ""
}

// chance formats the p-value of canaries: "p = 0.0004"; "" if there is none.
func chance(p *float64) string {
	switch {
	case p == nil:
		return ""
	case *p < 0.0001:
		return "p < 0.0001"
	}
	return fmt.Sprintf("p = %.2g", *p)
}

// some joins the first names of a list.
func (l *Language) some(names []string) (string, error) {
	const most = 5
	return l.say("some", V{"names": names[:min(len(names), most)], "more": max(len(names)-most, 0), "all": len(names)})
}

// names lists things in English: "a, b and c"; of more than three all but two are counted.
func names(list []string) string {
	last := len(list) - 1
	switch {
	case last > 2:
		return fmt.Sprintf("%s, %s and %d more", list[0], list[1], len(list)-2)
	case last < 1:
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}
