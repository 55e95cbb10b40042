package query

import (
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
	// Lacks says why cases that lack the field do; nil if all cases have it.
	Lacks *message.Message

	// has reports whether the cases of a source have the field, if not all have it.
	has     func(*Vocabulary) bool
	compile fieldCompiler
}

// metricName stands for a metric in the names of fields.
const metricName = "METRIC"

// fields lists every field, in the order of the help.
var fields = []Field{
	{Name: metricName, Doc: "the value of a metric of the run, compared by `<`, `<=`, `>`, `>=`, `=` or `!=`", Example: "mrr@10<0.5"},
	{Name: metricName, Doc: "the state of a score; `value` and `none` say whether it has a value, and `error` is either error",
		Values: stateWords, Example: "faithfulness:judge-error"},
	{Name: "status", Doc: "the outcome of the case", Values: []string{"ok", "failed", "error"}, Example: "status:failed,error",
		compile: wordField(func(s Source, row int, word string) bool { return string(s.Status(row)) == word })},
	{Name: "answer", Doc: "whether the case is right", Values: []string{"right", "wrong", "unknown"},
		Example: "answer:wrong", compile: (*compiler).answer},
	{Name: "stage", Doc: "the stage that a wrong answer is attributed to, or `none`", Example: "stage:retrieve",
		compile: func(c *compiler, f *Field, t term) (test, error) {
			own := *f
			own.Values = c.run.stages()
			return wordField(func(s Source, row int, word string) bool { return s.Stage(row) == word })(c, &own, t)
		}},
	{Name: "tag", Doc: "a tag of the case, or `none`", Example: "tag:easy,hard", compile: (*compiler).tag},
	{Name: "group", Doc: "the group of the case, or `none`", Example: "group:travel",
		compile: freeField(func(s Source, row int, word string) bool { return s.Group(row) == word })},
	{Name: "id", Doc: "the id of the case", Example: "id:q12,q29",
		compile: textField(InID, freeField(func(s Source, row int, word string) bool { return s.ID(row) == word }))},
	{Name: "critical", Doc: "whether the case is critical", Values: []string{"yes", "no"}, Example: "critical:yes",
		compile: yesField(Source.Critical)},
	{Name: "slow", Doc: "whether the response took longer than the slow threshold", Values: []string{"yes", "no"}, Example: "slow:yes",
		compile: yesField(Source.Slow)},
	{Name: "latency", Doc: "the time that the response took, or `none`", Example: "latency>1.5s",
		compile: numberField(message.New("Filter.Duration"), duration, func(s Source, row int) (float64, bool) {
			d := s.Latency(row)
			return d.Seconds(), d != 0
		})},
	{Name: "cost", Doc: "what the target reports to have spent on the case, in US dollars, or `none`", Example: "cost>0.01",
		compile: numberField(message.New("Filter.Dollars"), dollars, func(s Source, row int) (float64, bool) {
			c := s.Cost(row)
			return float64(c) / 1e6, c != 0
		})},
	{Name: "question", Doc: "text of the question", Example: `question~"refund policy"`, compile: textField(InQuestion, nil)},
	{Name: "word", Doc: "a word of the question; of CJK text a part of it", Example: "word:ferry",
		compile: questionField(text.HasWord)},
	{Name: "begins", Doc: "the first word of the question; of CJK text its first two characters", Example: "begins:where",
		compile: questionField(text.BeginsWith)},
	{Name: "script", Doc: "the writing system of most letters of the question, or `none`", Values: append(slices.Clone(text.Scripts), none),
		Example: "script:han",
		compile: inQuestion(wordField(func(s Source, row int, word string) bool { return text.Script(s.Question(row)) == word }))},
	{Name: "digits", Doc: "whether the question has digits", Values: []string{"yes", "no"}, Example: "digits:yes",
		compile: inQuestion(yesField(func(s Source, row int) bool { return text.HasDigits(s.Question(row)) }))},
	{Name: "length", Doc: "the number of characters of the question", Example: "length>=80",
		compile: inQuestion(numberField(message.New("Filter.Number"), number, func(s Source, row int) (float64, bool) {
			return float64(utf8.RuneCountInString(s.Question(row))), true
		}))},
	{Name: "documents", Doc: "how many documents are labelled relevant, or `none` if none is labelled", Example: "documents>1",
		compile: func(c *compiler, f *Field, t term) (test, error) {
			if c.run.Going {
				return nil, c.wrong(t.name, message.New("Filter.NotCounted"))
			}
			return numberField(message.New("Filter.Number"), number, func(s Source, row int) (float64, bool) {
				n, ok := s.Relevant(row)
				return float64(n), ok
			})(c, f, t)
		}},
	{Name: "answer", Doc: "text of the answer", Example: "answer~sorry"},
	{Name: "reason", Doc: "text of the reason of any score", Example: "reason~cites", compile: textField(InReason, nil)},
	{Name: "failure", Doc: "text of the target's failure: its kind or message", Example: "failure~timeout",
		compile: textField(InFailure, nil)},
	{Name: "delta(" + metricName + ")", Doc: "the change of a metric from the baseline, in a comparison", Example: "delta(mrr@10)<0",
		Lacks: message.New("Filter.NoDelta"), has: func(v *Vocabulary) bool { return v.Compared != nil }, compile: (*compiler).delta},
	{Name: "flaky", Doc: "whether draws of the case differ in one of the two runs, in a comparison", Values: []string{"yes", "no"},
		Example: "flaky:yes", Lacks: message.New("Filter.NoFlaky"), has: func(v *Vocabulary) bool { return v.Compared != nil }, compile: (*compiler).flaky},
	{Name: "label", Doc: "what people say of the case, by any metric, on the server", Values: []string{"right", "wrong", "unsure", none},
		Example: "label:wrong", Lacks: message.New("Filter.NoLabel"), has: func(v *Vocabulary) bool { return v.Labelled }, compile: (*compiler).label},
}

// Fields lists what a term can begin with, in the order of the help. A name can stand
// there twice, for two uses.
func Fields() []Field { return slices.Clone(fields) }

// field finds a field by the name of a term; nil if there is none.
func field(name string) *Field {
	if strings.HasPrefix(name, "delta(") {
		name = "delta(" + metricName + ")"
	}
	for i, f := range fields {
		if f.Name == name && f.compile != nil {
			return &fields[i]
		}
	}
	return nil
}

// names lists the fields that a term can begin with.
func (v *Vocabulary) names() []string {
	var out []string
	for _, f := range fields {
		if f.compile != nil && (f.has == nil || f.has(v)) {
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
	// Stages are the stages of the run beside [assay.LossStages].
	Stages []string
}

// stages lists the stages that an answer can be attributed to.
func (v *Vocabulary) stages() []string {
	out := assay.LossStages()
	for _, s := range v.Stages {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return append(out, assay.LostUnresolved, none)
}

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
