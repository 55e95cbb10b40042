package wire

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/reach"
)

// An outside says how a setting names a model that does not chat and is outside of this process.
type outside[Source any] struct {
	kinds reach.Kinds[Source]
	// what is the name of the setting, does what a kind of provider that is none of these does not
	// do, and instead what needs no network, for messages.
	what, does, instead string
	// others are what else the setting may begin with, and otherKinds the kinds of providers of it.
	others, otherKinds []string
	// unnamed is the name of a model that the setting names by its kind alone.
	unnamed string
	// operation is what its calls are named in the ledger.
	operation string
	// url is the address of a provider that the configuration does not define.
	url string
	// setup is what the source is opened with besides the provider and the model.
	setup reach.Setup
	// provider asks the source.
	provider func(name string, s Source) llm.Provider
}

// A reached is a model that was opened.
type reached struct {
	client *lazyProvider
	// name is that of the provider.
	name, model, identity string
	batch                 int
}

// open opens the model of a setting. It makes no calls before [Models.Connect].
func (o outside[Source]) open(m *Models, spec string) (*reached, error) {
	name, model, _ := strings.Cut(spec, ":")
	p := m.cfg.Providers[name]
	kind := o.kinds.Find(cmp.Or(p.Kind, name))
	servers := slices.Concat(o.otherKinds, o.kinds.Servers())
	switch {
	case kind == nil && p.Kind != "":
		return nil, fmt.Errorf("provider %q is of kind %s, which does not %s; use one of kind %q", name, p.Kind, o.does, servers)
	case kind == nil:
		return nil, fmt.Errorf("unknown provider %q: expected one of %q, or one of kind %q that the configuration file defines under providers",
			name, slices.Concat(o.others, o.kinds.Names()), servers)
	case kind.Wants != "" && model == "":
		return nil, fmt.Errorf("expected %s:%s, as in %s", name, kind.Wants, kind.Example)
	case kind.Wants == "" && model != "":
		return nil, fmt.Errorf("expected %s alone, as in %s", name, kind.Example)
	case kind.Server && m.cfg.Offline && !m.cfg.Replay:
		return nil, errors.New("needs the network, which --offline forbids; use --replay, or " + o.instead)
	}
	if p.Kind == "" {
		p.BaseURL = o.url
	}
	if kind.Free {
		m.prices = llm.Free(name).With(m.prices)
	}
	out := &reached{
		name: name, model: cmp.Or(model, o.unnamed), batch: kind.Batch,
		identity: reach.Identity(kind.Name, name, cmp.Or(model, o.setup.Command), p.Extra),
	}
	l := &lazyProvider{provider: named(name), limits: p, models: []string{out.model}, needed: []string{out.model}}
	s := o.setup
	s.Options = llm.Options{Name: name, BaseURL: p.BaseURL, KeyEnv: p.KeyEnv, Getenv: m.world.Getenv, Extra: p.Extra}
	l.address = llm.AddressOf(kind.Name, s.Options)
	if !m.cfg.Replay { // a replay makes no calls, so it needs no key, no address and no program
		s.Model, s.Dir, s.Stderr = out.model, m.world.Path("."), m.world.Stderr
		source, err := kind.Open(s)
		if err != nil {
			return nil, err
		}
		l.provider = o.provider(name, source)
		l.server, _ = any(source).(llm.Reacher)
		l.account = strings.Join([]string{o.operation, kind.Name, p.BaseURL, p.KeyEnv}, " ")
		if c, ok := any(source).(io.Closer); ok {
			m.closers = append(m.closers, c)
		}
	}
	out.client = l
	m.providers[o.what+" "+spec] = l // no provider has a name with a space
	return out, nil
}
