package wire

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	shellquote "github.com/kballard/go-shellquote"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/transcribe"
)

// The transcriber that is a command, and no transcriber.
const (
	commandTranscriber = "command"
	noTranscriber      = "none"
)

// transcriberOf gives the setting, which a command implies.
func transcriberOf(cfg config.Config) string {
	if (cfg.Transcriber == "" || cfg.Transcriber == noTranscriber) && cfg.TranscriberCommand != "" {
		return commandTranscriber
	}
	if cfg.Transcriber == noTranscriber {
		return ""
	}
	return cfg.Transcriber
}

// Transcriber opens the one that the settings name; nil when they name none. It
// asks nothing before [Models.Connect], and then each recording is transcribed
// once.
func (m *Models) Transcriber() (assay.Transcriber, error) {
	spec := transcriberOf(m.cfg)
	if spec == "" {
		return nil, nil
	}
	name, model, _ := strings.Cut(spec, ":")
	open := m.serverTranscriber
	switch name {
	case commandTranscriber:
		open = m.commandTranscriber
	case "fake":
		open = m.fakeTranscriber
	}
	one, model, limits, err := open(name, model)
	if err != nil {
		return nil, fmt.Errorf("transcriber %q: %w", spec, err)
	}
	l := &line{provider: transcribe.Provider(name, one), limits: limits, models: []string{model}}
	if m.cfg.Replay {
		l.provider = named(name)
	}
	// No provider has a name with a blank.
	m.lines["transcriber "+spec] = l
	return transcribe.Ledgered{Client: l, Model: model, Name: one.Identity()}, nil
}

// serverTranscriber opens a model of a server that speaks OpenAI's protocol.
func (m *Models) serverTranscriber(name, model string) (assay.Transcriber, string, config.Provider, error) {
	defined, ok := m.cfg.Providers[name]
	switch {
	case !ok && name != "openai":
		return nil, "", defined, fmt.Errorf("unknown provider %q: want openai, one of kind openai that the configuration file defines under providers, or command", name)
	case ok && defined.Kind != "openai":
		return nil, "", defined, fmt.Errorf("provider %q is of kind %s: want one of kind openai, which has /v1/audio/transcriptions", name, defined.Kind)
	case model == "":
		return nil, "", defined, errors.New("want PROVIDER:MODEL, such as openai:whisper-1")
	case m.cfg.Replay:
		// Nothing is called, so nothing is needed: no key, no address.
		return transcribe.Fake{Name: name + ":" + model}, model, defined, nil
	case m.cfg.Offline:
		return nil, "", defined, errors.New("needs the network, which --offline forbids: want --replay, or a command")
	}
	s, err := transcribe.NewServer(llm.Options{Name: name, BaseURL: defined.BaseURL, KeyEnv: defined.KeyEnv, Getenv: m.world.Getenv}, model)
	return s, model, defined, err
}

// commandTranscriber opens the command that the settings name.
func (m *Models) commandTranscriber(_, model string) (assay.Transcriber, string, config.Provider, error) {
	none := config.Provider{}
	if model != "" || m.cfg.TranscriberCommand == "" {
		return nil, "", none, errors.New("want the command itself in --transcriber-command")
	}
	args, err := shellquote.Split(m.cfg.TranscriberCommand)
	if err != nil {
		return nil, "", none, fmt.Errorf("command %q: want a program and its arguments, quoted as for a shell", m.cfg.TranscriberCommand)
	}
	c, err := transcribe.NewCommand(transcribe.CommandConfig{Args: args, Dir: m.world.Path("."), Stderr: m.world.Stderr})
	if err != nil {
		return nil, "", none, fmt.Errorf("command %q: %w", m.cfg.TranscriberCommand, err)
	}
	return c, c.Model(), none, nil
}

// fakeTranscriber reads a file of transcripts.
func (m *Models) fakeTranscriber(_, file string) (assay.Transcriber, string, config.Provider, error) {
	none := config.Provider{}
	data, err := os.ReadFile(m.world.Path(file))
	if err != nil {
		return nil, "", none, err
	}
	f, err := transcribe.ReadFake(file, data)
	f.Name = "fake:" + scripted(file)
	return f, scripted(file), none, err
}

// hears gives the pipeline its transcriber and the recordings of cases.
func hears(c *rag.Config, cfg config.Config, w World, m *Models) (err error) {
	c.Recording = func(one *assay.Case) assay.Recording { return recordingOf(one, cfg, w) }
	t, err := m.Transcriber()
	if t != nil {
		c.Transcriber = t
	}
	return err
}

// recordingOf gives the recording of a case, whose path is relative to the file
// that the case was read from.
func recordingOf(c *assay.Case, cfg config.Config, w World) assay.Recording {
	path := filepath.FromSlash(c.Audio)
	if !filepath.IsAbs(path) {
		file := c.Origin.File
		if file == "" {
			file = cfg.Dataset
		}
		path = w.Path(filepath.Join(filepath.Dir(file), path))
	}
	return assay.Recording{Name: filepath.Base(path), Path: path, Language: cfg.Language}
}

// recordings checks those of the cases before anything is asked: every one that
// is not there or is no recording is an error. Without a transcriber they are
// not used, which is a warning.
func (w *wiring) recordings(cases []assay.Case) (warnings []string, err error) {
	spoken := slices.DeleteFunc(slices.Clone(cases), func(c assay.Case) bool { return c.Audio == "" })
	switch {
	case len(spoken) == 0:
		return nil, nil
	case w.cfg.Adapter != "builtin" || w.world.Target != nil:
		return []string{fmt.Sprintf("%d cases have recordings: the target is asked the text of their questions, for only the built-in pipeline transcribes", len(spoken))}, nil
	case transcriberOf(w.cfg) == "":
		return []string{fmt.Sprintf("%d cases have recordings that nobody transcribes: the text of their questions is asked (--transcriber names who listens)", len(spoken))}, nil
	}
	var problems []error
	for i := range spoken {
		c := &spoken[i]
		if _, err := transcribe.Inspect(recordingOf(c, w.cfg, w.world)); err != nil {
			problems = append(problems, fmt.Errorf("%s: case %q: audio %q: %w", c.Origin, c.ID, text.Visible(c.Audio), cause(err)))
		}
	}
	return nil, errors.Join(problems...)
}

// cause takes the path off an error of the file system: the message has it.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
