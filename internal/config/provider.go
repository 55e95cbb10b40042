package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/judge/entail"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/rag/transcribe"
)

// A Provider is a server of models that a configuration defines.
type Provider struct {
	// Kind is the protocol, one of [llm.Kinds] or [llm.ServiceKinds].
	Kind    string `json:"kind"`
	BaseURL string `json:"base_url,omitempty"`
	// KeyEnv names the environment variable that holds the key.
	KeyEnv string `json:"key_env,omitempty"`
	// Extra holds additional fields of every request's body.
	Extra map[string]any `json:"extra,omitempty"`
	// Thinking names the field that tells the server whether to reason, one of
	// [llm.ThinkingFields]; "" means the one that the server documents.
	Thinking string `json:"thinking,omitempty"`
	// RPM and TPM limit requests and tokens per minute, in place of the general
	// limits.
	RPM int `json:"rpm,omitempty"`
	TPM int `json:"tpm,omitempty"`
}

// Providers maps names to servers of models.
type Providers map[string]Provider

// secretField is the name of a field that holds a key or a password.
var secretField = lazyregexp.New(`(?i)^(key|(.*[_-])?(api[_-]?key|secret|password|authorization|(access|auth|api)[_-]?token))$`)

type providers struct{ p *Providers }

// Set reads a JSON object. YAML in a file has been converted to JSON before.
func (v providers) Set(s string) error {
	d := json.NewDecoder(strings.NewReader(s))
	d.DisallowUnknownFields()
	var read Providers
	if err := d.Decode(&read); err != nil {
		return fmt.Errorf("%s: expected provider names, each with kind, base_url, key_env, extra, thinking, rpm or tpm",
			strings.TrimPrefix(err.Error(), "json: "))
	}
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(read)) {
		p := read[name]
		if kinds := append(llm.Kinds(), llm.ServiceKinds()...); !slices.Contains(kinds, p.Kind) {
			problems = append(problems, fmt.Errorf("%s: kind %q: expected one of %q", name, p.Kind, kinds))
		}
		if p.KeyEnv != "" && !isVariable(p.KeyEnv) {
			problems = append(problems, fmt.Errorf("%s: key_env: %w", name, errNoVariable))
		}
		for _, field := range slices.Sorted(maps.Keys(p.Extra)) {
			if secretField().MatchString(field) {
				problems = append(problems, fmt.Errorf("%s: extra: %s looks like a secret, and extra is written into reports; put the key into "+
					"an environment variable that key_env names", name, field))
			}
		}
		if err := llm.CheckThinking(p.Kind, p.Thinking); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", name, err))
		}
		if p.RPM < 0 || p.TPM < 0 {
			problems = append(problems, fmt.Errorf("%s: a limit below 0", name))
		}
		reserved := slices.Concat(transcribe.Words(), embed.Words(), entail.Kinds.Words(), []string{"fake", "offline"})
		slices.Sort(reserved)
		reserved = slices.Compact(reserved)
		if slices.Contains(reserved, name) || strings.ContainsAny(name, ":, ") {
			problems = append(problems, fmt.Errorf("provider %q: expected a name without spaces, commas and colons, other than %q", name, reserved))
		}
	}
	if problems != nil {
		return errors.Join(problems...)
	}
	if len(read) == 0 {
		read = nil
	}
	*v.p = read
	return nil
}

// String returns the JSON object, or "" if there is none.
func (v providers) String() string {
	if len(*v.p) == 0 {
		return ""
	}
	b, err := json.Marshal(*v.p)
	if err != nil { // it was read from JSON
		return ""
	}
	return string(b)
}

func (v providers) Type() string { return "map" }
