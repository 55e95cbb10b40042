package config

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/joho/godotenv"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// Variables are the variables of the environment, and those of a .env file that
// the environment does not set. nil has none.
type Variables struct {
	getenv func(string) string
	file   map[string]string
}

// Environ returns the variables of an environment.
func Environ(getenv func(string) string) *Variables { return &Variables{getenv: getenv} }

// Dotenv adds the variables of a .env file, if it exists. path is its path,
// name its name in messages, which repeat only names of its content.
func Dotenv(path, name string, getenv func(string) string) (*Variables, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return Environ(getenv), nil
	}
	if err != nil {
		return nil, err
	}
	file, err := readDotenv(name, data)
	if err != nil {
		return nil, err
	}
	return &Variables{getenv: getenv, file: file}, nil
}

// Get returns the value of a variable; "" if it is not set, or empty.
func (v *Variables) Get(name string) string {
	if v == nil {
		return ""
	}
	if v.getenv != nil {
		if s := v.getenv(name); s != "" {
			return s
		}
	}
	return v.file[name]
}

// where returns where a variable is set: "environment NAME" or ".env NAME".
func (v *Variables) where(name string) string {
	if v != nil && (v.getenv == nil || v.getenv(name) == "") && v.file[name] != "" {
		return ".env " + name
	}
	return "environment " + name
}

const (
	// maxDotenv bounds a .env file, in bytes.
	maxDotenv = 1 << 16
	// maxLines bounds a value, in lines: the longest values in practice are PEM
	// keys, with 50.
	maxLines = 200
)

var (
	variableName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_.]*$`)
	// within matches a reference to another variable of the file, as the
	// library expands it.
	within = lazyregexp.New(`(\\)?\$\{?([A-Z0-9_]+)`)
)

// readDotenv reads a .env file. The library reports no lines, and its messages
// quote possible secrets, so each statement is checked first.
func readDotenv(name string, data []byte) (_ map[string]string, err error) {
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("%s: invalid statement: %w", name, errStatement)
		}
	}()
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch {
	case len(data) > maxDotenv:
		return nil, fmt.Errorf("%s: %d bytes: expected at most %d", name, len(data), maxDotenv)
	case !utf8.Valid(data):
		return nil, fmt.Errorf("%s: expected UTF-8", name)
	}
	all := strings.ReplaceAll(strings.ReplaceAll(string(data), "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(all, "\n")
	known := map[string]bool{}
	var problems []error
	for i := 0; i < len(lines); {
		n, err := statement(lines[i:min(len(lines), i+maxLines)], known)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s:%d: %w", name, i+1, err))
		}
		if n == 0 {
			break
		}
		i += n
	}
	if problems != nil {
		return nil, errors.Join(problems...)
	}
	out, err := godotenv.Unmarshal(all)
	if err != nil {
		return nil, fmt.Errorf("%s: invalid statement: %w", name, errStatement)
	}
	return out, nil
}

var errStatement = errors.New("expected NAME=value, quoted when the value contains # or spans lines")

// statement checks the statement that begins with the first line, and returns
// its number of lines; 0 if unknown because a quotation mark is open. known are
// the names so far.
func statement(lines []string, known map[string]bool) (int, error) {
	first := strings.TrimSpace(lines[0])
	if first == "" || first[0] == '#' {
		return 1, nil
	}
	var set map[string]string
	text, n := lines[0], 1
	for {
		var err error
		if set, err = godotenv.Unmarshal(text); err == nil {
			break
		}
		if !strings.HasPrefix(err.Error(), "unterminated") {
			return n, errStatement
		}
		if n == len(lines) {
			return 0, errStatement
		}
		text += "\n" + lines[n]
		n++
	}
	_, is, _ := strings.Cut(text, "=")
	literal := strings.HasPrefix(strings.TrimSpace(is), "'")
	for _, m := range within().FindAllStringSubmatch(is, -1) {
		if !literal && m[1] == "" && !known[m[2]] {
			return n, fmt.Errorf("$%s is not defined on the lines above: put a value that contains a dollar sign in single quotes", m[2])
		}
	}
	for name := range maps.Keys(set) {
		if !variableName().MatchString(name) {
			return n, errStatement
		}
		known[name] = true
	}
	return n, nil
}
