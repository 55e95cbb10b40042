package template

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// Find returns the value of a name, which may be a path into objects and lists. The
// error lists the known names. The value is not copied.
func Find(values map[string]any, name string) (any, error) {
	var v any = values
	for at, rest := "", name; ; {
		if list, ok := v.([]any); ok {
			key, more, _ := strings.Cut(rest, ".")
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(list) {
				return nil, fmt.Errorf("placeholder %q: no element %q in %s, a list of %d", name, key, at, len(list))
			}
			v, at, rest = list[i], at+"."+key, more
		} else {
			object, ok := v.(map[string]any)
			if !ok {
				return nil, fmt.Errorf("placeholder %q: %s is %s, which has no elements", name, at, kind(v))
			}
			if found, whole := object[rest]; whole {
				return found, nil
			}
			key, more, _ := strings.Cut(rest, ".")
			found, ok := object[key]
			if !ok {
				return nil, unknown(name, at, key, object)
			}
			v, at, rest = found, strings.TrimPrefix(at+"."+key, "."), more
		}
		if rest == "" {
			return v, nil
		}
	}
}

// maxListed bounds how many names a message lists.
const maxListed = 20

// unknown returns the error for an unknown name.
func unknown(name, at, key string, object map[string]any) error {
	what := fmt.Sprintf("unknown placeholder %q", name)
	if at != "" {
		what = fmt.Sprintf("placeholder %q: %s has no %q", name, at, key)
	}
	if len(object) == 0 {
		return fmt.Errorf("%s: there are none", what)
	}
	names := slices.Sorted(maps.Keys(object))
	hint := ""
	if near := text.Nearest(key, names); near != "" {
		hint = fmt.Sprintf("did you mean %q? ", near)
	}
	more := ""
	if len(names) > maxListed {
		names, more = names[:maxListed], ", …"
	}
	return fmt.Errorf("%s: %s(there are: %s%s)", what, hint, strings.Join(names, ", "), more)
}

// kind describes the type of a value.
func kind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "text"
	case bool:
		return "true or false"
	}
	return "a number or a list of them"
}
