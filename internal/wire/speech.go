package wire

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/transcribe"
)

// transcriberOf returns the transcriber setting, which a transcriber command
// implies; "" is none.
func transcriberOf(cfg config.Config) string {
	switch spec := cfg.Transcriber; {
	case spec != "" && spec != "none":
		return spec
	case cfg.TranscriberCommand != "":
		return "command"
	}
	return ""
}

// Transcriber opens the transcriber that the settings name, and returns nil if
// they name none. It makes no calls before [Models.Connect], and transcribes
// each recording once.
func (m *Models) Transcriber() (assay.Transcriber, error) {
	spec := transcriberOf(m.cfg)
	if spec == "" {
		return nil, nil
	}
	name, model, _ := strings.Cut(spec, ":")
	defined := m.cfg.Providers[name]
	one, model, err := m.openTranscriber(name, model, defined)
	if err != nil {
		return nil, fmt.Errorf("transcriber %q: %w", spec, err)
	}
	l := &lazyProvider{provider: transcribe.Provider(name, one), limits: defined, models: []string{model}, needed: []string{model}}
	if at, ok := one.(llm.Located); ok {
		l.address = at.Address()
	}
	if m.cfg.Replay {
		l.provider = named(name)
	} else if server, ok := one.(llm.Reacher); ok {
		l.server = server
	}
	// No provider has a name with a space.
	m.providers["transcriber "+spec] = l
	return transcribe.Ledgered{Client: l, Model: model, Name: one.Identity()}, nil
}

// openTranscriber opens the transcriber that a word, or a model of a provider,
// names.
func (m *Models) openTranscriber(name, model string, p config.Provider) (assay.Transcriber, string, error) {
	kind := transcribe.Find(cmp.Or(p.Kind, name))
	servers := transcribe.Names(func(k *transcribe.Kind) bool { return k.Server })
	switch {
	case kind == nil && p.Kind != "":
		return nil, "", fmt.Errorf("provider %q is of kind %s, which does not transcribe; use one of kind %q", name, p.Kind, servers)
	case kind == nil:
		return nil, "", fmt.Errorf("unknown provider %q: expected one of %q, or one of kind %q that the configuration file defines under providers",
			name, transcribe.Names(nil), servers)
	case kind.Server && model == "":
		return nil, "", errors.New("expected PROVIDER:MODEL, such as openai:whisper-1")
	case kind.Server && m.cfg.Replay:
		// A replay makes no calls, so it needs no key and no address.
		return transcribe.Fake{Name: name + ":" + model}, model, nil
	case kind.Server && m.cfg.Offline:
		return nil, "", errors.New("needs the network, which --offline forbids; use --replay, or a command")
	}
	if kind.Free {
		m.prices = llm.Free(name).With(m.prices)
	}
	return kind.Open(transcribe.Setup{
		Options: llm.Options{Name: name, BaseURL: p.BaseURL, KeyEnv: p.KeyEnv, Getenv: m.world.Getenv},
		Model:   model, Command: m.cfg.TranscriberCommand, Path: m.world.Path, Stderr: m.world.Stderr,
	})
}

// hears sets the transcriber of the pipeline and the recordings of the cases.
func hears(c *rag.Config, cfg config.Config, w World, m *Models) (err error) {
	c.Recording = func(one *assay.Case) assay.Recording { return recordingOf(one, cfg, w) }
	t, err := m.Transcriber()
	if t != nil {
		c.Transcriber = t
	}
	return err
}

// recordingOf returns the recording of a case. Its path is relative to the file
// that the case was read from.
func recordingOf(c *assay.Case, cfg config.Config, w World) assay.Recording {
	path := filepath.FromSlash(c.Audio)
	if !filepath.IsAbs(path) {
		file := c.Origin.File
		if file == "" {
			file = cfg.Dataset
		}
		path = w.read(filepath.Join(filepath.Dir(file), path))
	}
	return assay.Recording{Name: filepath.Base(path), Path: path, Language: cfg.RecordingLanguage}
}

// recordings checks the recordings of the cases before anything is asked: each
// one that is missing or is not a recording is an error. Without a transcriber
// they are not used, which is a warning.
func (w *wiring) recordings(cases *assay.Cases) (warnings []string, err error) {
	spoken := cases.Count(func(c *assay.Case) bool { return c.Audio != "" })
	switch {
	case spoken == 0:
		return nil, nil
	case !w.cfg.Pipelined() || w.world.Target != nil:
		return []string{fmt.Sprintf("%d cases have recordings: the target gets the text of their questions, because only the built-in "+
			"pipeline transcribes", spoken)}, nil
	case transcriberOf(w.cfg) == "":
		return []string{fmt.Sprintf("%d cases have recordings that are not transcribed: the text of their questions is used "+
			"(--transcriber sets a transcriber)", spoken)}, nil
	}
	var problems []error
	for _, c := range cases.All() {
		if c.Audio == "" {
			continue
		}
		if _, err := transcribe.Inspect(recordingOf(&c, w.cfg, w.world)); err != nil {
			problems = append(problems, fmt.Errorf("%s: case %q: audio %q: %w", c.Origin, c.ID, text.Visible(c.Audio), cause(err)))
		}
	}
	return nil, errors.Join(problems...)
}

// cause removes the path from an error of the file system, because the message
// has it.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
