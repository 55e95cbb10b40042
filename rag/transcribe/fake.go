package transcribe

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/yaml"
)

// fakeName is what a [Fake] is called where a provider is named.
const fakeName = "fake"

var fake = Kind{
	Name:    fakeName,
	Doc:     "a YAML file with a transcript for each file name, for tests",
	Example: "--transcriber fake:FILE",
	Free:    true,
	Open: func(s Setup) (assay.Transcriber, string, error) {
		data, err := os.ReadFile(s.Path(s.Model))
		if err != nil {
			return nil, "", err
		}
		f, err := ReadFake(s.Model, data)
		name := strings.TrimSuffix(filepath.Base(s.Model), filepath.Ext(s.Model))
		f.Name = fakeName + ":" + name
		return f, name, err
	},
}

// A Fake knows what is said in recordings: for tests, and for trying a pipeline
// without a recogniser.
type Fake struct {
	// Name is its identity; "" is "fake".
	Name string
	// Texts are transcripts by the file's name, or by "sha256:" and the
	// hexadecimal digits of its bytes.
	Texts map[string]string
}

var _ assay.Transcriber = Fake{}

// ReadFake reads a YAML file with a transcript for each name or digest.
func ReadFake(file string, data []byte) (Fake, error) {
	f := Fake{}
	if _, err := yaml.Read(file, data, &f.Texts); err != nil {
		return Fake{}, err
	}
	if len(f.Texts) == 0 {
		return Fake{}, fmt.Errorf("%s: no transcript: expected one for each recording, below its file's name", file)
	}
	return f, nil
}

// Identity is the fake's name.
func (f Fake) Identity() string {
	if f.Name == "" {
		return fakeName
	}
	return f.Name
}

// Transcribe looks the recording up. What it does not know is an error.
func (f Fake) Transcribe(ctx context.Context, r assay.Recording) (assay.Transcription, error) {
	if err := ctx.Err(); err != nil {
		return assay.Transcription{}, err
	}
	sum, err := digest(r)
	if err != nil {
		return assay.Transcription{}, unusable(fakeName, "", r, err)
	}
	info, err := Inspect(r)
	if err != nil {
		return assay.Transcription{}, unusable(fakeName, "", r, err)
	}
	for _, key := range []string{sum, name(r)} {
		if said, ok := f.Texts[key]; ok {
			return assay.Transcription{Text: said, Language: language(r), Duration: info.Duration}, nil
		}
	}
	return assay.Transcription{}, unusable(fakeName, "", r, fmt.Errorf("no transcript: expected one under %q or %q", name(r), sum))
}
