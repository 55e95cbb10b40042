package query

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/internal/text"
)

// none is the value that says that a field has no value.
const none = "none"

// A Field is a name that terms can begin with. The metrics of a run are further ones.
type Field struct {
	Name string
	// Doc says what the field is, and Example is a term with it.
	Doc, Example string
	// Values are the words that the field has; nil if they are free.
	Values []string
	// Beside is set if only a [Beside] has the field.
	Beside bool

	// lacks says why cases lack the field; nil, or a nil message, if they have it.
	lacks func(*Vocabulary) *message.Message
	// values are Values that depend on the run, also other spellings of words, and unknown the
	// message about any other word.
	values  func(*Vocabulary) []string
	also    map[string]string
	unknown string
	// optional is set if a case can be without a word.
	optional bool

	// A field has words, a number or a text, or two of them. is reports whether a case has a word; ""
	// asks whether it has none. text is what is searched, and reads what is and number look at.
	is     func(s Source, row int, word string) bool
	number func(s Source, row int) (v float64, ok bool)
	unit   unit
	text   Place
	reads  Place
}

// metricName stands for a metric in the names of fields, and deltaName for its change.
const (
	metricName = "METRIC"
	deltaName  = "delta(" + metricName + ")"
)

// yes is a field that is true or false.
func yes(holds func(s Source, row int) bool) func(s Source, row int, word string) bool {
	return func(s Source, row int, word string) bool { return word != "" && holds(s, row) == (word == "yes") }
}

var yesOrNo = []string{"yes", "no"}

// fields lists every field, in the order of the help.
var fields = []Field{
	{Name: metricName, Doc: "the value of a metric of the run, compared by `<`, `<=`, `>`, `>=`, `=` or `!=`", Example: "mrr@10<0.5"},
	{Name: metricName, Doc: "the state of a score; `value` and `none` say whether it has a value, and `error` is either error",
		Values: stateWords, Example: "faithfulness:judge-error"},
	{Name: "status", Doc: "the outcome of the case", Values: []string{"ok", "failed", "error"}, Example: "status:failed,error",
		is: func(s Source, row int, word string) bool { return string(s.Status(row)) == word }},
	{Name: "answer", Doc: "whether the case is right", Values: []string{"right", "wrong", "unknown"}, Example: "answer:wrong",
		is: func(s Source, row int, word string) bool { return string(s.Answer(row)) == word }, text: InAnswer},
	{Name: "stage", Doc: "the stage that a wrong answer is attributed to, or `none`", Example: "stage:retrieve",
		values: stages, optional: true,
		is: func(s Source, row int, word string) bool { return s.Stage(row) == word }},
	{Name: "tag", Doc: "a tag of the case, or `none`", Example: "tag:easy,hard",
		values: func(v *Vocabulary) []string { return v.Tags }, unknown: "Filter.NoTag", optional: true,
		is: func(s Source, row int, word string) bool { return hasWord(s.Tags(row), word) }},
	{Name: "group", Doc: "the group of the case, or `none`", Example: "group:travel", optional: true,
		is: func(s Source, row int, word string) bool { return s.Group(row) == word }},
	{Name: "id", Doc: "the id of the case", Example: "id:q12,q29", text: InID,
		is: func(s Source, row int, word string) bool { return s.ID(row) == word }},
	{Name: "critical", Doc: "whether the case is critical", Values: yesOrNo, Example: "critical:yes", is: yes(Source.Critical)},
	{Name: "slow", Doc: "whether the response took longer than the slow threshold", Values: yesOrNo, Example: "slow:yes",
		is: yes(Source.Slow)},
	{Name: "latency", Doc: "the time that the response took, or `none`", Example: "latency>1.5s", unit: seconds,
		number: func(s Source, row int) (float64, bool) { return s.Latency(row).Seconds(), s.Latency(row) != 0 }},
	{Name: "cost", Doc: "what the target reports to have spent on the case, in US dollars, or `none`", Example: "cost>0.01", unit: dollars,
		number: func(s Source, row int) (float64, bool) { return float64(s.Cost(row)) / 1e6, s.Cost(row) != 0 }},
	{Name: "question", Doc: "text of the question", Example: `question~"refund policy"`, text: InQuestion},
	{Name: "word", Doc: "a word of the question; of CJK text a part of it", Example: "word:ferry", reads: InQuestion,
		is: func(s Source, row int, word string) bool { return text.HasWord(s.Question(row), strings.ToLower(word)) }},
	{Name: "begins", Doc: "the first word of the question; of CJK text its first two characters", Example: "begins:where", reads: InQuestion,
		is: func(s Source, row int, word string) bool {
			return text.BeginsWith(s.Question(row), strings.ToLower(word))
		}},
	{Name: "script", Doc: "the writing system of most letters of the question, or `none`", Values: append(slices.Clone(text.Scripts), none),
		Example: "script:han", reads: InQuestion, optional: true,
		is: func(s Source, row int, word string) bool { return text.Script(s.Question(row)) == word }},
	{Name: "digits", Doc: "whether the question has digits", Values: yesOrNo, Example: "digits:yes", reads: InQuestion,
		is: yes(func(s Source, row int) bool { return text.HasDigits(s.Question(row)) })},
	{Name: "length", Doc: "the number of characters of the question", Example: "length>=80", reads: InQuestion,
		number: func(s Source, row int) (float64, bool) { return float64(utf8.RuneCountInString(s.Question(row))), true }},
	{Name: "documents", Doc: "how many documents are labelled relevant, or `none` if none is labelled", Example: "documents>1",
		lacks: func(v *Vocabulary) *message.Message { return unless(!v.Going, "Filter.NotCounted") },
		number: func(s Source, row int) (float64, bool) {
			n, ok := s.Relevant(row)
			return float64(n), ok
		}},
	{Name: "answer", Doc: "text of the answer", Example: "answer~sorry"},
	{Name: "reason", Doc: "text of the reason of any score", Example: "reason~cites", text: InReason},
	{Name: "failure", Doc: "text of the target's failure: its kind or message", Example: "failure~timeout", text: InFailure},
	// See [compiler.delta].
	{Name: deltaName, Doc: "the change of a metric from the baseline, in a comparison", Example: "delta(mrr@10)<0", Beside: true,
		lacks: func(v *Vocabulary) *message.Message { return unless(v.Compared != nil, "Filter.NoDelta") }},
	{Name: "flaky", Doc: "whether draws of the case differ in one of the two runs, in a comparison", Values: yesOrNo,
		Example: "flaky:yes", Beside: true,
		lacks: func(v *Vocabulary) *message.Message {
			return cmp.Or(unless(v.Compared != nil, "Filter.NoFlaky"), unless(v.Repeated, "Filter.NoDraws"))
		},
		is: yes(func(s Source, row int) bool { return s.(Beside).Flaky(row) })},
	{Name: "label", Doc: "what people say of the case, by any metric, on the server", Values: []string{"right", "wrong", "unsure", none},
		Example: "label:wrong", Beside: true, optional: true,
		lacks: func(v *Vocabulary) *message.Message { return unless(v.Labelled, "Filter.NoLabel") },
		is:    func(s Source, row int, word string) bool { return hasWord(s.(Beside).Labels(row), word) }},
}

// hasWord reports whether a list has a word; "" asks whether it is empty.
func hasWord(list []string, word string) bool {
	if word == "" {
		return len(list) == 0
	}
	return slices.Contains(list, word)
}

// unless returns a message unless a condition holds.
func unless(holds bool, name string) *message.Message {
	if holds {
		return nil
	}
	return message.New(name)
}

// lack says why the cases of a run lack the field; nil if they have it.
func (f *Field) lack(v *Vocabulary) *message.Message {
	if f.lacks == nil {
		return nil
	}
	return f.lacks(v)
}

// known lists the words that the field can have in a run; nil if they are free.
func (f *Field) known(v *Vocabulary) []string {
	if f.values == nil {
		return f.Values
	}
	return f.values(v)
}

// Fields lists what a term can begin with, in the order of the help. A name can stand
// there twice, for two uses.
func Fields() []Field { return slices.Clone(fields) }

// field finds a field by the name of a term; nil if there is none.
func field(name string) *Field {
	if strings.HasPrefix(name, "delta(") {
		name = deltaName
	}
	i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name })
	if i < 0 || name == metricName {
		return nil
	}
	return &fields[i]
}

// names lists the fields that a term can begin with.
func (v *Vocabulary) names() (out []string) {
	for _, f := range fields {
		if f.Name != metricName && !slices.Contains(out, f.Name) && f.lack(v) == nil {
			out = append(out, f.Name)
		}
	}
	return out
}

// A Vocabulary is what the names in a query can mean.
type Vocabulary struct {
	// Metrics are those of the run.
	Metrics []assay.MetricInfo
	// Tags are those of the cases; nil if they are not known, and any tag is then
	// accepted.
	Tags []string
	// Going is set unless the run is finished: the labels of its cases are then not known.
	Going bool
	// Labelled is set if the source has labels, Compared are the metrics of which it has
	// changes: nil for the cases of one run. Both need a [Beside].
	Labelled bool
	Compared []assay.MetricInfo
	// Repeated is set if a run of the comparison asked cases more than once.
	Repeated bool
}

// stages lists the stages that an answer can be attributed to.
func stages(*Vocabulary) []string { return append(assay.LossStages(), assay.LostUnresolved, none) }

func (v *Vocabulary) metrics() []string {
	var out []string
	for _, m := range v.Metrics {
		out = append(out, m.Name)
	}
	return out
}

// metric finds a metric of the run.
func (v *Vocabulary) metric(name string) (assay.MetricInfo, bool) {
	for _, m := range v.Metrics {
		if m.Name == name {
			return m, true
		}
	}
	return assay.MetricInfo{}, false
}

// guess suggests one of the names for a misspelt one, and lists them if none is near. A
// metric without its cutoff or parameters is near.
func guess(name string, names []string) *message.Message {
	if near := nearest(name, names); near != "" {
		return message.New("Filter.Guess", "near", near)
	}
	const most = 30
	if len(names) > most {
		names = append(slices.Clone(names[:most]), "…")
	}
	return message.New("Filter.OneOf", "names", names)
}

// nearest returns the name that a misspelt one is near to, "" if it is near to none.
func nearest(name string, names []string) string {
	if near := text.Nearest(name, names); near != "" {
		return near
	}
	for _, n := range names {
		if rest, ok := strings.CutPrefix(n, strings.ToLower(name)); ok && rest != "" && (rest[0] == '@' || rest[0] == '(') {
			return n
		}
	}
	return ""
}
