package dataset

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset/trec"
	"github.com/assay-eval/assay/internal/lazyregexp"
)

func trecClaim(s *excerpt) claim {
	if s.layout == layoutTable && s.comma == '\t' && len(s.header) == 2 {
		return claim{conceivable, "two columns, separated by a tab"}
	}
	return noClaim
}

func trecHint(s *excerpt) error {
	switch {
	case s.width(4) && isWhole(s.row[3]):
		return &Error{
			File: s.name, Index: -1, Problem: "looks like TREC judgments", Want: "topics as the dataset, and this file as --qrels",
		}
	case s.width(6) && s.row[1] == "Q0":
		return &Error{
			File: s.name, Index: -1, Problem: "looks like a TREC run", Want: "topics or another dataset, and this file as recorded responses",
		}
	}
	return nil
}

// A topic is a question of a TREC collection.
type topic struct {
	id, title, description, narrative string
	line                              int
}

func loadTREC(l *loader) error {
	if l.opts.Qrels == "" {
		return &Error{File: l.src.name, Index: -1, Problem: "TREC topics without judgments", Want: "--qrels with a file of them"}
	}
	data, err := l.whole(maxWhole)
	if err != nil {
		return err
	}
	var topics []topic
	if topTag().Match(data) {
		topics = l.parseTops(data)
	} else {
		topics = l.parseLines(data)
	}
	index := map[string]int{}
	for i, t := range topics {
		index[t.id] = i
	}
	qrels, err := readQrels(l.opts.Qrels)
	if err != nil {
		return err
	}
	for _, t := range qrels.Topics {
		if _, ok := index[t.Query]; !ok {
			e := &Error{
				File: l.opts.Qrels, Line: t.Line, Index: -1,
				Problem: fmt.Sprintf("no topic %q in %s", clip(t.Query), l.src.name), Want: "the number of a topic",
			}
			if err := l.skip(e, len(t.Grades)); err != nil {
				return nil
			}
		}
	}
	wanted, err := l.wanted(index)
	if err != nil {
		return err
	}
	unjudged := 0
	for i, t := range topics {
		of := qrels.Topic(t.id)
		switch {
		case wanted != nil && !wanted[i]:
		case of == nil && wanted != nil:
			_ = l.add(&Error{File: l.src.name, Line: t.line, Index: -1, Case: t.id, Problem: "the topic is not judged", Want: "one that is"})
		case of == nil:
			unjudged++
		default:
			l.addJudged(l.topicCase(t), of.Grades)
		}
	}
	if unjudged > 0 {
		l.remark(Warning{File: l.src.name, Text: fmt.Sprintf("%d of %d topics are not judged and were skipped", unjudged, len(topics))})
	}
	return nil
}

func readQrels(path string) (*trec.Qrels, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, pathError(path, err)
	}
	defer f.Close()
	qrels, err := trec.ReadQrels(f, path)
	var e *trec.Error
	if errors.As(err, &e) {
		return nil, &Error{File: path, Line: e.Origin.Line, Index: -1, Problem: e.Problem}
	}
	return qrels, err
}

func (l *loader) topicCase(t topic) assay.Case {
	c := assay.Case{ID: t.id, Question: cmp.Or(t.title, t.description), Origin: assay.Origin{File: l.src.name, Line: t.line}}
	for name, text := range map[string]string{"description": t.description, "narrative": t.narrative} {
		if text != "" {
			note(&c, name, text)
		}
	}
	return c
}

// parseLines reads topics in two columns.
func (l *loader) parseLines(data []byte) []topic {
	var out []topic
	line := 0
	for b := range bytes.Lines(data) {
		line++
		s := strings.TrimSpace(string(b))
		if s == "" {
			continue
		}
		id, question, ok := strings.Cut(s, "\t")
		id, question = strings.TrimSpace(id), strings.TrimSpace(question)
		if ok && out == nil && topicHeader[columnName(id)] {
			continue
		}
		if !ok || id == "" || question == "" {
			if l.add(&Error{File: l.src.name, Line: line, Index: -1, Problem: fmt.Sprintf("%q", clip(s)),
				Want: "a topic's number, a tab, and its question"}) != nil {
				return nil
			}
			continue
		}
		out = append(out, topic{id: id, title: question, line: line})
	}
	return out
}

// topicHeader holds names of the first column in a header row.
var topicHeader = map[string]bool{"id": true, "qid": true, "query_id": true, "query-id": true, "topic": true, "topic_id": true,
	"num": true, "number": true}

var (
	topEnd = lazyregexp.New(`(?i)</top>`)
	// topField matches the start of a field. Fields that are not used only end
	// the previous one.
	topField = lazyregexp.New(`(?i)<(num|title|desc|narr|head|dom|smry|con|fac|def|nat)>`)
	fieldEnd = lazyregexp.New(`(?i)</(num|title|desc|narr|head|dom|smry|con|fac|def|nat)>`)
	// topLabel is the label that repeats the tag.
	topLabel = lazyregexp.New(`(?i)^\s*(number|topic|description|narrative)\s*:`)
)

// parseTops reads topics in SGML, where closing tags are optional.
func (l *loader) parseTops(data []byte) []topic {
	var out []topic
	starts := topTag().FindAllIndex(data, -1)
	line, counted := 1, 0
	for i, at := range starts {
		line += bytes.Count(data[counted:at[0]], []byte{'\n'})
		counted = at[0]
		to := len(data)
		if i+1 < len(starts) {
			to = starts[i+1][0]
		}
		body := data[at[1]:to]
		if end := topEnd().FindIndex(body); end != nil {
			body = body[:end[0]]
		}
		t := parseTop(string(body))
		t.line = line
		problem := ""
		switch {
		case t.id == "":
			problem = "no <num>"
		case t.title == "" && t.description == "":
			problem = "no <title> and no <desc>"
		default:
			out = append(out, t)
			continue
		}
		if l.add(&Error{File: l.src.name, Line: line, Index: -1, Case: t.id, Problem: problem,
			Want: "a topic with a number and a question"}) != nil {
			return nil
		}
	}
	return out
}

func parseTop(body string) topic {
	var t topic
	fields := topField().FindAllStringSubmatchIndex(body, -1)
	for i, at := range fields {
		to := len(body)
		if i+1 < len(fields) {
			to = fields[i+1][0]
		}
		text := fieldEnd().ReplaceAllString(body[at[1]:to], " ")
		text = strings.Join(strings.Fields(topLabel().ReplaceAllString(text, "")), " ")
		switch strings.ToLower(body[at[2]:at[3]]) {
		case "num":
			t.id = text
		case "title":
			t.title = text
		case "desc":
			t.description = text
		case "narr":
			t.narrative = text
		}
	}
	return t
}
