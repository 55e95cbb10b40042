package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/assay-eval/assay/internal/scan"
	"github.com/assay-eval/assay/internal/yaml"
)

// File sets the settings of a YAML configuration file. It reports every problem
// with its line: a key that does not exist, a value of the wrong kind, a
// repeated key, a variable that is not set. name is the name of the file in
// messages. "${NAME}" and "${NAME:-default}" in a text are replaced by
// variables, so r.Variables must be set before.
func (r *Resolved) File(name string, data []byte) error { return r.parse(name, data, FromFile) }

func (r *Resolved) parse(name string, data []byte, from Origin) error {
	body, err := yaml.Parse(name, data)
	if err != nil {
		return err
	}
	return r.read(body, file{name: name, from: from})
}

// read sets the settings below a node of a file.
func (r *Resolved) read(body ast.Node, f file) error {
	if empty(body) {
		return nil
	}
	f.r, f.seen = r, map[string]seen{}
	f.section("", body)
	return errors.Join(f.problems...)
}

// A file is a configuration file that is being read.
type file struct {
	r    *Resolved
	name string
	from Origin
	// below is the path of the settings of a named configuration, for messages.
	below string
	// dry means to check only.
	dry      bool
	seen     map[string]seen
	problems []error
}

// seen is the place where a setting was first set.
type seen struct {
	as   string
	line int
}

func (f *file) problem(line int, err error) {
	for _, one := range strings.Split(f.r.scrub(err.Error()), "\n") {
		f.problems = append(f.problems, fmt.Errorf("%s:%d: %s", f.name, line, one))
	}
}

// section reads the settings of a mapping whose keys begin with the prefix.
func (f *file) section(prefix string, n ast.Node) {
	m, ok := fields(n)
	if !ok {
		f.problem(yaml.Line(n), errors.New(`expected settings as "key: value"`))
		return
	}
	for _, v := range m {
		key, line := prefix+keyOf(v), yaml.Line(v.Key)
		if key == namedKey && f.below == "" {
			if f.from == FromFile {
				f.configs(v.Value)
			}
			continue
		}
		if _, nested := fields(v.Value); nested && isSection(key) {
			// A mapping as the value of a map's entry is a text in JSON.
			f.section(key+".", v.Value)
			continue
		}
		if empty(v.Value) && isSection(key) {
			continue
		}
		f.setting(key, line, v.Value)
	}
}

func (f *file) setting(key string, line int, n ast.Node) {
	is, convert := canonical(key)
	s, entry, err := lookup(is)
	if err != nil {
		if below := below(key); below != nil {
			err = fmt.Errorf("%s: expected nested settings: %s", key, strings.Join(below, ", "))
		}
		f.problem(line, err)
		return
	}
	if entry != "" {
		is = s.Key + "." + entry
	}
	if first, ok := f.seen[is]; ok {
		f.problem(line, fmt.Errorf("%s is already given as %s on line %d; give one of them", key, first.as, first.line))
		return
	}
	f.seen[is] = seen{key, line}
	written, ok, err := s.text(n)
	if err == nil && ok {
		leave, wrong := f.leaves(s, is, written)
		if leave && wrong == nil {
			return
		}
		err = wrong
	}
	if err == nil && ok && convert != nil {
		// Variables are expanded before the value is parsed.
		var v string
		if v, err = f.r.expand(written); err == nil {
			written, err = convert(v)
			written = escape(written)
		}
	}
	if err == nil && ok {
		err = f.r.setWritten(is, written, f.from, fmt.Sprintf("%s:%d", f.name, line))
	}
	var missing unset
	if errors.As(err, &missing) && f.r.Uses != nil && !f.r.Uses(s) {
		return
	}
	if err != nil {
		f.problem(line, err)
	}
}

// text returns a node's value as a flag would take it, and that of a nested
// setting or a template as JSON; ok is false if the node is empty.
func (s Setting) text(n ast.Node) (_ string, ok bool, err error) {
	if empty(n) {
		return "", false, nil
	}
	place := s.bind(&Config{})
	p, isTexts := place.(texts)
	_, isTree := place.(tree)
	_, isCheck := place.(checkMap)
	_, isMap := fields(n)
	_, isList := n.(*ast.SequenceNode)
	if s.Nested && (isMap || isList) || (isTree || isCheck) && (isMap || isList) || isTexts && p.loose && (isMap || isList) {
		v, err := plain(n, 0)
		if err != nil {
			return "", false, err
		}
		text, err := compact(v)
		return text, true, err
	}
	if isList && place.Type() != "list" {
		return "", false, errors.New("expected one value, not a list")
	}
	return scalar(n)
}

// scalar returns a node's value as a flag would take it; ok is false if the
// node is empty.
func scalar(n ast.Node) (s string, ok bool, err error) {
	switch v := n.(type) {
	case *ast.NullNode:
		return "", false, nil
	case *ast.SequenceNode:
		var all []string
		for _, item := range v.Values {
			s, ok, err := scalar(item)
			switch {
			case err != nil || !ok:
				return "", false, errors.New("expected a list of strings")
			case len(scan.Items(s)) > 1:
				return "", false, fmt.Errorf("%q: expected a list of strings without commas", s)
			}
			all = append(all, s)
		}
		return strings.Join(all, ","), len(all) > 0, nil
	case *ast.StringNode:
		return v.Value, true, nil
	case *ast.LiteralNode:
		return v.Value.Value, true, nil
	case ast.ScalarNode:
		return v.GetToken().Value, true, nil
	}
	return "", false, errors.New("expected a value or a list, not a mapping")
}
