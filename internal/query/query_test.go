package query

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/message"
)

// TestCanonicalForm: the form in which a query is written again.
func TestCanonicalForm(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "",
		"  ":                        "",
		"harbour":                   "harbour",
		"  two   words ":            "two words",
		`"refund policy"`:           `"refund policy"`,
		`"plain"`:                   "plain",
		`"a \"b\" \\ c"`:            `"a \"b\" \\ c"`,
		"退款政策 碼頭":                   "退款政策 碼頭",
		"support<0.5":               "support<0.5",
		"support < 0.5":             "support<0.5",
		"support:>=0.5":             "support>=0.5",
		"mrr@10==1":                 "mrr@10=1",
		"rbp(p=0.8)>=0.5":           "rbp(p=0.8)>=0.5",
		`"rubric(a b)"<3`:           `"rubric(a b)"<3`,
		"delta(mrr@10)<0":           "delta(mrr@10)<0",
		"tag:a,b":                   "tag:a,b",
		`tag:"a b",c`:               `tag:"a b",c`,
		`tag:"none",none`:           `tag:"none",none`,
		`reason~"cites"`:            "reason~cites",
		"-status:error":             "-status:error",
		"NOT status:error":          "-status:error",
		"--a":                       "a",
		"-(a b)":                    "-(a b)",
		"- a":                       `"-" a`,
		"a AND b":                   "a b",
		"a b OR c d":                "a b OR c d",
		"a (b OR c)":                "a (b OR c)",
		"(a b) OR (c)":              "a b OR c",
		"((a OR b) OR c)":           "a OR b OR c",
		"(a (b c))":                 "a b c",
		`"OR" "-x"`:                 `"OR" "-x"`,
		"or and not":                `"or" "and" "not"`,
		"terms and conditions":      `terms "and" conditions`,
		"hit@5=0 and tag:senior":    "hit@5=0 tag:senior",
		"hit@5=0 And refund":        "hit@5=0 refund",
		"refund and hit@5=0":        "refund hit@5=0",
		"a=1 or b = 2":              "a=1 OR b=2",
		"a=1 and not tag:x or (y)":  "a=1 -tag:x OR y",
		"a=1 or not not b=2":        "a=1 OR b=2",
		`a=1 "and" tag:x`:           `a=1 "and" tag:x`,
		`"Not" tag:x`:               `"Not" tag:x`,
		"a=1 android":               "a=1 android",
		"f(x)":                      "f(x)",
		`"<of> it"`:                 `"<of> it"`,
		`tag:"<b"`:                  `tag:"<b"`,
		"well-known 1,000 100% C++": "well-known 1,000 100% C++",
		"help!":                     "help!",
	} {
		q, err := Parse(in)
		if err != nil || q.String() != want {
			t.Errorf("%q: %q, %v: want %q", in, q, err, want)
		}
	}
}

// TestSyntaxErrors: an error points to what is wrong and says what would be right.
func TestSyntaxErrors(t *testing.T) {
	for in, want := range map[string]string{
		`a "b`:                         "3+1: this quote is not closed",
		"(a OR b":                      "1+1: this group is not closed",
		"a)":                           "2+1: this closes no group",
		"()":                           `2+1: add a term before ")"`,
		"a OR":                         "5+0: add a term here",
		"OR a":                         "1+2: add a term before OR",
		"a OR OR":                      "6+2: add a term before OR",
		"a AND":                        "6+0: add a term after AND",
		"hit@5=0 and":                  "12+0: add a term after AND",
		"NOT":                          "4+0: add a term here",
		"tag:":                         `4+1: add a value after ":"`,
		"tag: a":                       `4+1: add a value after ":"`,
		"tag:a,":                       `6+1: add a value after ","`,
		"mrr<":                         `4+1: add a value after "<"`,
		"中 文 <5":                       `3+1: the run has no metric "文"`,
		"<5":                           `1+1: add a field or a metric before "<"`,
		"!=5":                          `1+2: add a field or a metric before "!="`,
		`a"b"`:                         "2+1: add a space before the quote",
		`"a"b`:                         "4+1: add a space after the quote",
		`tag:""`:                       "5+2: add text between the quotes",
		"f(x y)":                       "2+1: this parenthesis is not closed",
		"a\xffb":                       "2+1: the query is not UTF-8",
		"中文 tag:":                      `7+1: add a value after ":"`,
		"suport<0.5":                   "1+6: the run has no metric \"suport\", and no field is called so: did you mean \"support\"?",
		"mrr<0.5":                      `1+3: the run has no metric "mrr", and no field is called so: did you mean "mrr@10"?`,
		"http://x.y":                   `to search for the text, write "http://x.y"`,
		"ab:1 x":                       `to search for the text, write "ab:1"`,
		"status:eror":                  `8+4: status "eror": did you mean "error"?`,
		"stage:retrive":                `7+7: stage "retrive": did you mean "retrieve"?`,
		"tag:eazy":                     `5+4: no case has the tag "eazy": did you mean "easy"?`,
		"answer:yes":                   `8+3: answer "yes": expected one of right, wrong, unknown`,
		"critical:1":                   `10+1: critical "1": expected one of yes, no`,
		"tag<a":                        "1+5: tag has no order and no parts: expected tag:a",
		"status~err":                   "status has no order and no parts: expected status:err",
		"support<x":                    `9+1: support<"x": expected a number`,
		"support<NaN":                  "expected a number",
		"support<0.5,0.6":              "13+3: support< takes one number",
		"support:maybe":                `9+5: support "maybe": expected a number or a state of a score: expected one of value`,
		"support~x":                    "support is a number",
		"latency>2":                    `9+1: latency>"2": expected a duration such as 2s or 500ms`,
		"cost>much":                    `expected an amount in US dollars`,
		"reason<a":                     "reason is a text: expected reason~a",
		"delta(mrr@10)<0":              "1+13: delta is the change between two runs",
		"flaky:yes":                    "1+5: flaky tells whether",
		"label:none":                   "1+5: labels that people gave",
		"word<a":                       "1+6: word has no order and no parts: expected word:a",
		"script:latn":                  `8+4: script "latn": did you mean "latin"?`,
		"length>x":                     `8+1: length>"x": expected a number`,
		strings.Repeat("(", 200) + "a": "nested more than 100 deep",
	} {
		err := compiles(in)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%q: %v: want an error with a place", in, err)
			continue
		}
		part := []rune(e.Query[e.Offset : e.Offset+e.Length])
		if got := fmt.Sprintf("%d+%d: %s", e.Column(), len(part), e.message.In(message.English)); !strings.Contains(got, want) {
			t.Errorf("%q: %s: want %s", in, got, want)
		}
		if !strings.HasPrefix(err.Error(), fmt.Sprintf("column %d: ", e.Column())) {
			t.Errorf("%q: %v: want the column", in, err)
		}
	}
}

// A list of nothing is not offered.
func TestNoTags(t *testing.T) {
	q, err := Parse("tag:easy")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = q.Compile(Vocabulary{Tags: []string{}}); err == nil || !strings.HasSuffix(err.Error(), "there are none") {
		t.Errorf("%v: want that there are none", err)
	}
}

func compiles(text string) error {
	q, err := Parse(text)
	if err == nil {
		_, err = q.Compile(vocabulary)
	}
	return err
}

var vocabulary = Vocabulary{
	Metrics: []assay.MetricInfo{
		{Name: "support", Better: "higher", Range: [2]float64{0, 1}}, {Name: "mrr@10", Better: "higher", Range: [2]float64{0, 1}},
		{Name: "wer", Better: "lower", Range: [2]float64{0, 1}}, {Name: "semantic_similarity(threshold=0.8)", Better: "higher"},
	},
	Tags: []string{"easy", "hard", "fr", "two words", "none"},
}

// cases are rows 0 to 5.
func cases() *Records {
	value := assay.Value
	of := func(support, mrr, wer assay.Score) map[string]assay.Score {
		return map[string]assay.Score{"support": support, "mrr@10": mrr, "wer": wer, "semantic_similarity(threshold=0.8)": value(0.9)}
	}
	because := func(s assay.Score, reason string) assay.Score {
		s.Reason = reason
		return s
	}
	response := func(answer string, latency time.Duration, cost int64) *assay.Response {
		return &assay.Response{Answer: answer, Latency: latency, Usage: assay.Usage{Cost: cost}}
	}
	return &Records{
		List: []assay.Record{
			{Case: assay.Case{ID: "q0", Question: "Who wrote ÉMILE?", Tags: []string{"easy", "fr"}, Critical: true,
				Want: assay.Want{Documents: map[string]int{"a": 1, "b": 2, "c": 0}}}, Answer: assay.AnswerRight,
				Response: response("Rousseau.", 3*time.Second, 20_000), Scores: of(value(1), value(1), value(0))},
			{Case: assay.Case{ID: "q1", Question: `What is 100%?`, Tags: []string{"hard"}, Group: "sums",
				Want: assay.Want{Documents: map[string]int{"a": -1}}}, Answer: assay.AnswerWrong,
				Response: response("All <of> it & \"more\"\u2028.", 400*time.Millisecond, 500), Slow: true,
				Scores: of(because(value(0.25), "nothing cites it"), value(0.5), value(1))},
			{Case: assay.Case{ID: "q2", Question: "一加一等於幾？", Tags: []string{"easy", "two words"}}, Answer: assay.AnswerUnknown,
				Response: response("二", 2*time.Second, 0), Scores: of(assay.None("no label"), value(0.3), value(0.30000000000000004))},
			{Case: assay.Case{ID: "q3", Question: "Why?", Tags: []string{"hard", "none"}},
				Response: response("", 0, 0), Scores: of(assay.Score{State: assay.JudgeError}, value(0), assay.Score{State: assay.Abstained})},
			{Case: assay.Case{ID: "q4", Question: "When?"}, Failure: &assay.Failure{Kind: "timeout", Message: "after 30 s"},
				Scores: of(assay.Score{State: assay.TargetError}, assay.Score{State: assay.TargetError}, assay.Score{State: assay.TargetError})},
		},
		AnswerOf: func(r assay.Record) assay.Correctness { return r.Answer },
		StatusOf: func(r assay.Record) assay.Status {
			switch {
			case r.Failure != nil:
				return assay.StatusError
			case r.Scores["mrr@10"].Value < 0.5:
				return assay.StatusFailed
			}
			return assay.StatusOK
		},
		StageOf: func(r assay.Record) string { return map[string]string{"q1": "generate", "q3": "retrieve"}[r.Case.ID] },
	}
}

// TestSelects: which of the five cases each term selects.
func TestSelects(t *testing.T) {
	for in, want := range map[string]string{
		"":                                       "0 1 2 3 4",
		"support<0.5":                            "1 4", // a failed target has the worst value
		"-support<0.5":                           "0 2 3",
		"support>=0":                             "0 1 4",
		"support!=1":                             "1 4", // no value is not unequal
		"-support=1":                             "1 2 3 4",
		"support:1,0.25":                         "0 1",
		"support!=1,0":                           "1",
		"wer<0.5":                                "0 2", // less is better: a failed target has no value
		"wer<0.3":                                "0",
		"wer=0.3":                                "2", // as 0.1+0.2
		"wer<=0.3":                               "0 2",
		"wer>0.3":                                "1",
		"support < 0.5 status:failed":            "",
		"support:none":                           "2 3",
		"support:scored":                         "0 1",
		"support:n/a":                            "2",
		"support:not_applicable":                 "2",
		"support:judge-error":                    "3",
		"support:error":                          "3 4",
		"support:error,n/a":                      "2 3 4",
		"wer:abstained":                          "3",
		"wer:none":                               "3 4",
		"wer:value":                              "0 1 2",
		"support:value":                          "0 1 4",
		"wer:target-error":                       "4",
		"-wer:none":                              "0 1 2",
		"semantic_similarity(threshold=0.8)>0.5": "0 1 2 3 4",
		"status:ok":                              "0 1",
		"status=ok,error":                        "0 1 4",
		"status!=ok":                             "2 3 4",
		"-status:ok,error":                       "2 3",
		"answer:right":                           "0",
		"answer:wrong,unknown":                   "1 2",
		"answer!=right":                          "1 2",
		"answer~ROUSS":                           "0",
		"answer~émile":                           "",
		"stage:generate":                         "1",
		"stage:none":                             "0 2 4",
		"stage!=generate":                        "3",
		"tag:easy":                               "0 2",
		"tag:easy,hard":                          "0 1 2 3",
		`tag:"two words"`:                        "2",
		"tag:none":                               "4",
		`tag:"none"`:                             "3",
		"tag!=easy":                              "1 3",
		"-tag:easy":                              "1 3 4",
		"group:sums":                             "1",
		"group:none":                             "0 2 3 4",
		"id:q1,q4":                               "1 4",
		"id:q":                                   "",
		"id~Q":                                   "0 1 2 3 4",
		"word:WHAT":                              "1",
		"word:wha":                               "",
		"word!=what,why":                         "0 2 4",
		"word:等於,100":                            "1 2",
		"begins:who,why":                         "0 3",
		"begins:wrote":                           "",
		"script:latin":                           "0 1 3 4",
		"script!=latin":                          "2",
		"script:none":                            "",
		"digits:yes":                             "1",
		"length<5":                               "3",
		"length:5,7":                             "2 4",
		"documents>1":                            "0",
		"documents=0":                            "1",
		"documents:none":                         "2 3 4",
		"critical:yes":                           "0",
		"critical:no":                            "1 2 3 4",
		"slow:yes":                               "1",
		"latency>2s":                             "0",
		"latency<=2s":                            "1 2",
		"latency<500ms":                          "1",
		"latency:none":                           "3 4",
		"cost>0.01":                              "0",
		"cost<$0.01":                             "1",
		"cost:none":                              "2 3 4",
		"reason~CITES":                           "1",
		"reason:label":                           "2",
		"failure~timeout":                        "4",
		"failure~30":                             "4",
		"question~why,when":                      "3 4",
		"émile":                                  "0",
		"ROUSS":                                  "0",
		"等於":                                     "2",
		"100%":                                   "1",
		"%":                                      "1",
		`"<of> it & \"m"`:                        "1",
		"\u2028":                                 "0 1 2 3 4", // white space
		"u2028":                                  "",
		"u003c":                                  "",
		"timeout":                                "",
		"sums":                                   "",
		"who wrote":                              "0",
		"wrote who":                              "0",
		`"wrote who"`:                            "",
		"tag:easy OR status:error":               "0 2 4",
		"tag:easy OR tag:hard q1":                "0 1 2",
		"(tag:easy OR tag:hard) q1":              "1",
		"-(tag:easy OR status:error)":            "1 3",
		"-tag:easy -status:error":                "1 3",
		"NOT (tag:easy fr)":                      "0 1 2 3 4",
	} {
		q, err := Parse(in)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := selects(t, q); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func selects(t *testing.T, q Query) string {
	t.Helper()
	f, err := q.Compile(vocabulary)
	if err != nil {
		t.Errorf("%s: %v", q, err)
		return ""
	}
	rows, s := cases(), NewSelection(f, Order{})
	for row := range rows.Len() {
		s.Add(rows, row, row)
	}
	return strings.Trim(fmt.Sprint(s.Rows()), "[]")
}

func TestOrder(t *testing.T) {
	for in, want := range map[string]string{
		"": "0 1 2 3 4", "seq": "0 1 2 3 4", "-seq": "4 3 2 1 0", "id": "0 1 2 3 4", "-id": "4 3 2 1 0",
		"status": "4 2 3 0 1", "-status": "0 1 2 3 4", "answer": "0 2 1 3 4", "stage": "3 1 0 2 4", "-stage": "1 3 0 2 4",
		"latency": "1 2 0 3 4", "-latency": "0 2 1 3 4", "cost": "1 0 2 3 4",
		"support": "4 1 0 2 3", "-support": "0 1 4 2 3", "wer": "0 2 1 3 4", "mrr@10": "3 4 2 1 0",
	} {
		o, err := ParseOrder(in, vocabulary)
		if err != nil {
			t.Error(err)
		}
		if again, err := ParseOrder(o.String(), vocabulary); err != nil || again.String() != o.String() || o.String() != cmp.Or(in, "seq") {
			t.Errorf("%q is %q, which is %q (%v)", in, o, again, err)
		}
		f, err := Query{}.Compile(vocabulary)
		if err != nil {
			t.Error(err)
		}
		rows, s := cases(), NewSelection(f, o)
		for row := range rows.Len() {
			s.Add(rows, row, row)
		}
		if got := strings.Trim(fmt.Sprint(s.Rows()), "[]"); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"laten": `did you mean "latency"`, "mrr": `did you mean "mrr@10"`, "-": "expected one of seq", "tag": "no order",
	} {
		if _, err := ParseOrder(in, vocabulary); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
}

func TestComplete(t *testing.T) {
	for in, want := range map[string]string{
		"st":           "0 status: stage:",
		"-stat":        "0 -status:",
		"(sta":         "1 status: stage:",
		"tag:hard sup": "9 support",
		"status:":      "0 status:ok status:failed status:error",
		"status:ok,f":  "0 status:ok,failed",
		"stage:retr":   "0 stage:retrieve",
		"tag:t":        `0 `,
		`tag:"t`:       `6 `,
		"tag:":         `0 tag:easy tag:hard tag:fr tag:"two words" tag:none`,
		"support:j":    "0 support:judge-error",
		"semantic":     "0 semantic_similarity(threshold=0.8)",
		"harbour ":     "8 status: answer: stage:",
		"critical:":    "0 critical:yes critical:no",
	} {
		from, options := Complete(in, vocabulary)
		if got := fmt.Sprintf("%d %s", from, strings.Join(options, " ")); got != want && !(in == "harbour " && strings.HasPrefix(got, want)) {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// TestDocumentation: the filters of the page and of the help are right, and mean what
// the page says of them.
func TestDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../docs/filter.md")
	if err != nil {
		t.Fatal(err)
	}
	_, language, _ := strings.Cut(string(page), "## The language")
	language, _, _ = strings.Cut(language, "## The list")
	var filters []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(language, -1) {
		filters = append(filters, row[1])
	}
	for _, where := range regexp.MustCompile("--where '([^']+)'").FindAllStringSubmatch(string(page), -1) {
		if !strings.Contains(where[1], "suport") {
			filters = append(filters, where[1])
		}
	}
	if len(filters) < 30 {
		t.Errorf("%d filters: want those of the tables and of the commands", len(filters))
	}
	run := vocabulary
	run.Tags = nil
	run.Metrics = append(run.Metrics, assay.MetricInfo{Name: "faithfulness"})
	lacking := 0
	for _, f := range filters {
		q, err := Parse(f)
		if err == nil {
			_, err = q.Compile(run)
		}
		switch {
		case err != nil && strings.Contains(err.Error(), "one run"), err != nil && strings.Contains(err.Error(), "a run"):
			lacking++
		case err != nil:
			t.Errorf("%s: %v", f, err)
		}
	}
	if lacking != 3 {
		t.Errorf("%d filters of fields that one run lacks: want delta, flaky and label", lacking)
	}
}

// TestTermsThatWereNotTyped: parameters beside a query select further.
func TestTermsThatWereNotTyped(t *testing.T) {
	q, err := Parse("q1 OR q2 OR q0")
	if err != nil {
		t.Fatal(err)
	}
	for want, with := range map[string]Query{
		"0 2": Term("tag", ":", "easy"), "": Term("tag", ":", "no such"), "1": Term("support", "<", "0.5"), "0 1": Term("support", ":", "value"),
		"0 1 2": {},
	} {
		if got := selects(t, q.With(with)); got != want {
			t.Errorf("%s: %q, want %q", q.With(with), got, want)
		}
	}
	if got := (Query{}).With(Query{}); !got.Empty() {
		t.Errorf("%q: want every case", got)
	}
	if got := selects(t, Query{}.With(Term("tag", ":", "none"))); got != "3" {
		t.Errorf("tag none: %q, want the tag of that name", got)
	}
	_, err = q.With(Term("metric", ":", "x")).Compile(vocabulary)
	if err == nil {
		t.Error("want an error")
	}
}
