package reply

import (
	"embed"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-eval/assay/internal/yaml"
)

// A shape is a known reply format: the paths that must exist, and those of its parts.
type shape struct {
	Name  string
	Needs []alternatives
	Read  map[string]alternatives
	// None says that an absent list means that nothing was retrieved.
	None bool
}

// alternatives are paths of which the first suitable one counts, written "a | b".
type alternatives []Path

// UnmarshalText implements [encoding.TextUnmarshaler].
func (a *alternatives) UnmarshalText(text []byte) error {
	for s := range strings.SplitSeq(string(text), " | ") {
		p, err := ParsePath(s)
		if err != nil {
			return err
		}
		*a = append(*a, p)
	}
	return nil
}

// first returns the first value that is present; nil if there is none.
func (a alternatives) first(v any) any {
	for _, p := range a {
		if found, ok := p.one(v); ok {
			return found
		}
	}
	return nil
}

//go:embed shapes.yaml names.yaml
var files embed.FS

// read returns a function that decodes an embedded file once.
func read[T any](name string) func() *T {
	return sync.OnceValue(func() *T {
		out := new(T)
		data, err := files.ReadFile(name)
		if err == nil {
			_, err = yaml.Read(name, data, out)
		}
		if err != nil { // the files are embedded, and tests read them
			panic(err)
		}
		return out
	})
}

// known holds the shapes, the fields that replies of any shape may have, and the stages in
// a result of accuracy testing.
var known = read[struct {
	Shapes []shape
	Any    map[string]alternatives
	Beside map[string][]string
	Result []shape
}]("shapes.yaml")

// names are the names that systems use; the file explains each.
var names = read[struct {
	Answer      []string
	AnswerText  []string `yaml:"answer_text"`
	Passages    []string
	Beside      []string
	Anything    []string
	Containers  []string
	TextWithin  []string `yaml:"text_within"`
	Fields      map[string][]string
	Holders     [][]string
	Said        []string
	Speakers    []string
	OtherFields map[string][]string `yaml:"other_fields"`
	// Kept, Graded, States and Dropped are the fields by which a filter marks a passage, Yes and No what they say.
	Kept, Graded, States, Dropped, Yes, No []string
	Stages                                 map[string]struct{ Output []string }
	StageInput                             []string `yaml:"stage_input"`
	StageOutput                            []string `yaml:"stage_output"`
	Prompted                               []string
	Durations                              []struct {
		Unit  time.Duration
		Names []string
	}
	SubQuestion []string `yaml:"sub_question"`
	Question    []string
	Group       []string
	Failures    []string
	Statuses    map[string][]string
	Broken      alternatives
	Stops       map[string][]string
	StopFields  []string `yaml:"stop_fields"`
	StopFlags   []struct {
		Field string
		Value any
		Stop  string
	} `yaml:"stop_flags"`
	StopWithin  alternatives `yaml:"stop_within"`
	StopPaths   alternatives `yaml:"stop_paths"`
	Incomplete  alternatives
	Withheld    alternatives
	Refusals    alternatives
	Calls       alternatives
	Messages    alternatives
	Marks       map[string][]string
	Piece       []string
	PieceTypes  []string `yaml:"piece_types"`
	EndTypes    []string `yaml:"end_types"`
	SourceTypes []string `yaml:"source_types"`
	StepTypes   []string `yaml:"step_types"`
	DifyTypes   []string `yaml:"dify_types"`
	LineTypes   []string `yaml:"line_types"`
}]("names.yaml")

// meaning returns the key whose list holds a word, "" if none does.
func meaning(words map[string][]string, word string) string {
	for key, list := range words {
		if slices.Contains(list, word) {
			return key
		}
	}
	return ""
}

// builtIn parses a path of the program's own.
func builtIn(s string) Path {
	p, err := ParsePath(s)
	if err != nil {
		panic(err)
	}
	return p
}
