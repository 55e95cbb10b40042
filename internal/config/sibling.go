package config

import (
	"encoding/json"
	"fmt"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// Variables shared with other programs, with the same meaning.
const (
	varHeader       = "RAG_AUTH_HEADER"
	varProvider     = "RAG_EVAL_PROVIDER"
	varOllamaURL    = "RAG_EVAL_OLLAMA_BASE_URL"
	varOllamaModel  = "RAG_EVAL_OLLAMA_MODEL"
	varClaudeKey    = "RAG_EVAL_ANTHROPIC_API_KEY"
	varClaudeModel  = "RAG_EVAL_ANTHROPIC_MODEL"
	defaultProvider = "ollama"
)

// A Sibling is a variable shared with other programs, with the same meaning.
type Sibling struct{ Name, Doc string }

// Siblings lists the supported variables of other programs.
var Siblings = []Sibling{
	{varHeader, `value of the header Authorization, or "Name: value"; a header of the file or a flag replaces it`},
	{varProvider, "who judges, writes and answers sampling requests: ollama or anthropic (default " + defaultProvider +
		", when one of the variables below is set)"},
	{varOllamaURL, "address of the Ollama server (default: http://localhost:11434)"},
	{varOllamaModel, "its model (default " + siblingModels["ollama"].model + ")"},
	{varClaudeKey, "key for Anthropic (default: that of ANTHROPIC_API_KEY)"},
	{varClaudeModel, "its model (default " + siblingModels["anthropic"].model + ")"},
}

// siblingModels holds the variable that names a provider's model, and the
// default model of the programs that share the variables.
var siblingModels = map[string]struct{ variable, model string }{
	"ollama":    {varOllamaModel, "llama3.1:8b"},
	"anthropic": {varClaudeModel, "claude-3-5-sonnet-20241022"},
}

// headerLine matches "Name: value". The value of an Authorization header has a
// space before any colon, or no space after it.
var headerLine = lazyregexp.New("^([A-Za-z0-9!#$%&'*+.^_`|~-]+:[ \t]|(?i:authorization):)")

// siblings sets the settings of the variables shared with other programs.
func (r *Resolved) siblings() error {
	if v := r.Variables.Get(varHeader); v != "" {
		if !headerLine().MatchString(v) {
			v = "Authorization: " + v
		}
		s, err := Find("http.headers")
		if err == nil {
			err = r.SetTyped(s, v, FromHeader, r.Variables.where(varHeader))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", r.Variables.where(varHeader), err)
		}
	}
	return r.siblingModel()
}

func (r *Resolved) siblingModel() error {
	first := ""
	for _, name := range []string{varClaudeModel, varClaudeKey, varOllamaModel, varOllamaURL, varProvider} {
		if r.Variables.Get(name) != "" {
			first = name
		}
	}
	if first == "" {
		return nil
	}
	provider := r.Variables.Get(varProvider)
	if provider == "" {
		provider = defaultProvider
	}
	m, ok := siblingModels[provider]
	if !ok {
		return fmt.Errorf("%s: %q: expected ollama or anthropic", r.Variables.where(varProvider), provider)
	}
	model := m.model
	if v := r.Variables.Get(m.variable); v != "" {
		model, first = v, m.variable
	}
	for _, key := range []string{"judge", "writer", "sampler"} {
		if err := r.Set(key, provider+":"+model, FromShared, r.Variables.where(first)); err != nil {
			return fmt.Errorf("%s: %w", r.Variables.where(first), err)
		}
		if r.From(key) == FromFile {
			r.notes = append(r.notes, fmt.Sprintf("%s does not replace %s of %s", r.Variables.where(first), key, r.Origins[key]))
		}
	}
	switch v := r.Variables.Get(varOllamaURL); {
	case provider == "ollama" && v != "":
		return r.siblingProvider(provider, varOllamaURL, "base_url", v)
	case provider == "anthropic" && r.Variables.Get(varClaudeKey) != "":
		return r.siblingProvider(provider, varClaudeKey, "key_env", varClaudeKey)
	}
	return nil
}

// siblingProvider defines a field of a provider. The settings judge-url and
// judge-key-env cannot be used here: they apply to every provider that is not
// defined, so another judge's questions and key would go to this one's server.
func (r *Resolved) siblingProvider(name, variable, field, v string) error {
	where := r.Variables.where(variable)
	all := map[string]map[string]any{}
	written, ok := r.written["providers"]
	if !ok {
		written = escape(providers{&r.Providers}.String())
	}
	if written != "" {
		if err := json.Unmarshal([]byte(written), &all); err != nil {
			return fmt.Errorf("%s: providers: %w", where, err)
		}
	}
	switch fields := all[name]; {
	case fields == nil:
		all[name] = map[string]any{"kind": name, field: escape(v)}
	case fields["kind"] != name || fields[field] != nil:
		r.notes = append(r.notes, fmt.Sprintf("%s does not replace provider %q of %s", where, name, r.Origins["providers"]))
		return nil
	default:
		fields[field] = escape(v)
	}
	whole, err := compact(all)
	if err != nil {
		return err
	}
	from := FromShared
	if was := r.Origins["providers"]; r.From("providers") != FromDefault {
		// The file's own providers stay, so what it wrote keeps its strength.
		from, where = r.From("providers"), was+", "+where
	}
	return r.setWritten("providers", whole, from, where)
}
