package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml/ast"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/yaml"
)

// namedKey is the key of a file below which named configurations stand:
//
//	configs:
//	  small: {chunk.size: 80, top-k: 5}
//	  large:
//	    chunk: {size: 320}
//
// A run has the settings of one of them only when it is asked for by name.
const namedKey = "configs"

// A named configuration consists of the settings below its name.
type named struct {
	name, file string
	body       ast.Node
}

// Named returns the names of the configurations of the file, in its order.
func (r *Resolved) Named() []string {
	var names []string
	for _, n := range r.named {
		names = append(names, n.name)
	}
	return names
}

// Apply sets the settings of the named configuration. It overrides the
// environment and the rest of the file. A flag for one of its settings is an
// error, because a flag applies to everything that is compared.
func (r *Resolved) Apply(name string) error {
	i := slices.IndexFunc(r.named, func(n named) bool { return n.name == name })
	if i < 0 {
		return fmt.Errorf("unknown config %q%s", name, text.DidYouMean(name, r.Named()))
	}
	n := r.named[i]
	return r.read(n.body, file{name: n.file, from: FromNamed, below: namedKey + "." + name + "."})
}

// Over sets the settings of another configuration file. It overrides the
// environment and the first file, but no flag. Settings that apply to
// everything that is compared are ignored: where results go, and the gate.
func (r *Resolved) Over(name string, data []byte) error { return r.parse(name, data, FromNamed) }

// configs stores the named configurations of the file, and checks them as far
// as that is possible before one is chosen: variables that only the others need
// may not be set.
func (f *file) configs(n ast.Node) {
	if empty(n) {
		return
	}
	all, ok := fields(n)
	if !ok {
		f.problem(yaml.Line(n), errors.New(`configs: expected a name and its settings, as in "small: {top-k: 5}"`))
		return
	}
	for _, v := range all {
		name, line := keyOf(v), yaml.Line(v.Key)
		switch {
		case name == "" || strings.HasPrefix(name, "-") || strings.ContainsFunc(name,
			func(r rune) bool { return r == ',' || unicode.IsControl(r) }):
			f.problem(line, fmt.Errorf(`configs: name %q: expected a name without commas that does not begin with "-"`, name))
			continue
		case slices.Contains(f.r.Named(), name):
			f.problem(line, fmt.Errorf("configs: duplicate name %q", name))
			continue
		}
		f.r.named = append(f.r.named, named{name, f.name, v.Value})
		check := file{name: f.name, from: FromNamed, below: namedKey + "." + name + ".", dry: true}
		if err := Default().read(v.Value, check); err != nil {
			f.problems = append(f.problems, err)
		}
	}
}

// shared reports whether a setting applies to everything that is compared.
func (s Setting) shared() bool { return s.Section == sectionOutput || s.Section == sectionGate }

// leaves reports whether a setting of the file is ignored and, if that is a
// mistake, why.
func (f *file) leaves(s Setting, key, written string) (bool, error) {
	switch {
	case f.from != FromNamed:
		return false, nil
	case s.shared() && f.below != "":
		return true, fmt.Errorf("%s%s: this setting applies to all configs; put it outside of %s", f.below, key, namedKey)
	case s.shared():
		return true, nil
	case f.dry:
		return strings.Contains(written, "${"), nil
	case f.below != "" && f.r.From(key) == FromFlag && f.r.Get(key) != written:
		return true, fmt.Errorf("%s%s: conflicts with %s, which applies to all configs; give one of them", f.below, key, f.r.Origins[key])
	}
	return false, nil
}
