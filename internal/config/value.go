package config

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/scan"
)

type words struct{ p *string }

func (v words) Set(s string) error { *v.p = s; return nil }
func (v words) String() string     { return *v.p }
func (v words) Type() string       { return "string" }

type list struct{ p *[]string }

// Set splits at commas; spaces around an item are dropped.
func (v list) Set(s string) error {
	var out []string
	for _, item := range scan.Items(s) {
		if item = strings.TrimSpace(item); item == "" {
			return errors.New("expected items separated by commas")
		}
		out = append(out, item)
	}
	*v.p = out
	return nil
}
func (v list) String() string { return strings.Join(*v.p, ",") }
func (v list) Type() string   { return "list" }

type whole struct {
	p   *int
	min int
}

func (v whole) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < v.min {
		return fmt.Errorf("expected a whole number from %d", v.min)
	}
	*v.p = n
	return nil
}
func (v whole) String() string { return strconv.Itoa(*v.p) }
func (v whole) Type() string   { return "int" }

type natural struct{ p *uint64 }

func (v natural) Set(s string) error {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return errors.New("expected a whole number from 0")
	}
	*v.p = n
	return nil
}
func (v natural) String() string { return strconv.FormatUint(*v.p, 10) }
func (v natural) Type() string   { return "int" }

type number struct {
	p        *float64
	min, max float64
}

func (v number) Set(s string) error {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f >= v.min && f <= v.max) {
		return fmt.Errorf("expected a number from %g to %g", v.min, v.max)
	}
	*v.p = f
	return nil
}
func (v number) String() string { return strconv.FormatFloat(*v.p, 'g', -1, 64) }
func (v number) Type() string   { return "float" }

type duration struct{ p *time.Duration }

// Set reads a number of seconds, or a number with a unit such as "1m30s".
func (v duration) Set(s string) error {
	d, err := time.ParseDuration(s)
	if f, ferr := strconv.ParseFloat(s, 64); ferr == nil {
		d, err = time.Duration(f*float64(time.Second)), nil
	}
	if err != nil || d <= 0 || d > 24*time.Hour {
		return errors.New(`expected seconds or a time such as "500ms", up to 24h`)
	}
	*v.p = d
	return nil
}
func (v duration) String() string { return v.p.String() }
func (v duration) Type() string   { return "duration" }

// pause is a duration that may be 0.
type pause struct{ p *time.Duration }

func (v pause) Set(s string) error {
	if d, err := time.ParseDuration(s); err == nil && d == 0 {
		*v.p = 0
		return nil
	}
	return duration(v).Set(s)
}
func (v pause) String() string { return v.p.String() }
func (v pause) Type() string   { return "duration" }

type truth struct{ p *bool }

func (v truth) Set(s string) error {
	b, err := strconv.ParseBool(s)
	if err != nil {
		return errors.New(`expected "true" or "false"`)
	}
	*v.p = b
	return nil
}
func (v truth) String() string { return strconv.FormatBool(*v.p) }
func (v truth) Type() string   { return "bool" }

// odd is an odd number of votes, which always has a majority.
type odd struct{ p *int }

func (v odd) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > 99 || n%2 == 0 {
		return errors.New("expected an odd number from 1 to 99")
	}
	*v.p = n
	return nil
}
func (v odd) String() string { return strconv.Itoa(*v.p) }
func (v odd) Type() string   { return "int" }

// variable is the name of an environment variable. Anything else may be the
// secret itself, so the message does not repeat it.
type variable struct{ p *string }

func (v variable) Set(s string) error {
	if !isVariable(s) {
		return errNoVariable
	}
	*v.p = s
	return nil
}
func (v variable) String() string { return *v.p }
func (v variable) Type() string   { return "string" }

var errNoVariable = errors.New("expected the name of an environment variable, such as OPENAI_API_KEY, not a key")

// isVariable reports whether a text looks like the usual name of an environment
// variable. Keys of providers contain lower-case letters or dashes.
func isVariable(s string) bool {
	if s == "" || len(s) > 64 || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	return strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}
