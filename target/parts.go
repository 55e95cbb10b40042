package target

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/target/reply"
)

// readReply extracts a response from a decoded reply, by a mapping, or by a known shape if
// that is empty. In all else it is as [readParts].
func readReply(ctx context.Context, m reply.Mapping, v any, retrieved bool) (assay.Response, error) {
	if reason := reply.Blocked(v); reason != "" {
		var resp assay.Response
		reply.Ended(&resp, reason)
		return resp, nil
	}
	shape := ""
	if m.Empty() {
		var ok bool
		if m, shape, ok = reply.Detect(v); !ok {
			show(ctx, func(x *Exchange) { x.Hints = append(x.Hints, pathHint(v)) })
			return assay.Response{}, fmt.Errorf("the reply has no known shape: expected read.answer or read.passages with a path%s", suggested(v))
		}
	}
	return readParts(ctx, m, shape, v, retrieved)
}

// readParts extracts a response from a decoded reply and shows a watcher where its
// parts were found, with hints. retrieved says that the passages came by another route.
// A reply with neither an answer nor passages is an error, as is a *reply.FailureError.
func readParts(ctx context.Context, m reply.Mapping, shape string, v any, retrieved bool) (assay.Response, error) {
	resp, readings, err := m.Read(v)
	show(ctx, func(x *Exchange) { x.Shape, x.Readings = shape, append(x.Readings, readings...) })
	if err != nil {
		return resp, err
	}
	used := assay.Response{Usage: resp.Usage}
	answered := resp.Answer != "" || slices.ContainsFunc(readings, func(r reply.Reading) bool { return r.Part == reply.Answer && !r.Missing })
	retrieved = retrieved || resp.Passages != nil
	switch {
	case !answered && !retrieved && resp.Withheld != "":
	case resp.Answer == "" && !retrieved && resp.Withheld == "" && reply.NoText(v) != "":
		return used, fmt.Errorf("the reply has no answer: %s", reply.NoText(v))
	case !answered && !retrieved:
		var own *reply.FailureError
		if other, _, _ := reply.Detect(v); !other.Empty() {
			if _, _, err := other.Read(v); errors.As(err, &own) {
				return used, err
			}
		}
		show(ctx, func(x *Exchange) { x.Hints = append(x.Hints, pathHint(v)) })
		return used, fmt.Errorf("the reply has neither an answer nor passages at the configured paths: expected read.answer or "+
			"read.passages with another path%s", suggested(v))
	case !answered:
		show(ctx, func(x *Exchange) { x.Hints = append(x.Hints, answerHint(v, resp)) })
	case !retrieved:
		show(ctx, func(x *Exchange) { x.Hints = append(x.Hints, passagesHint(v, readings)) })
	}
	return resp, nil
}

// suggested lists paths of a reply for a message.
func suggested(v any) string {
	if paths := reply.Suggest(v); len(paths) > 0 {
		return ", such as " + strings.Join(paths[:min(len(paths), 3)], ", ") + " (" + readFlag(paths[0]) + ")"
	}
	return ""
}

// readFlag writes a setting as "read.passages: hits[]" as the flag of the command line.
func readFlag(setting string) string {
	name, path, _ := strings.Cut(strings.TrimPrefix(setting, "read."), ": ")
	if unquoted, ok := strings.CutPrefix(path, "'"); ok {
		path = strings.ReplaceAll(strings.TrimSuffix(unquoted, "'"), "''", "'")
	}
	return "--read " + text.Shell(name+"="+path)
}

// pathHint returns what to set if nothing was recognised.
func pathHint(v any) string {
	if paths := reply.Suggest(v); len(paths) > 0 {
		return "set read.answer or read.passages, such as " + strings.Join(paths, ", ")
	}
	return "set read.answer or read.passages to where they are in the reply"
}

// answerHint describes the consequence of a missing answer, and what to set if there is
// one.
func answerHint(v any, resp assay.Response) string {
	hint := "no answer was found: it counts as an empty one"
	if resp.NoAnswer {
		hint = "no answer was found: only retrieval is scored"
	}
	if paths := elsewhere(v, nil, reply.Answer); len(paths) > 0 {
		hint += "; if there is one, set " + strings.Join(paths, ", or ")
	}
	return hint
}

// passagesHint is answerHint for passages.
func passagesHint(v any, readings []reply.Reading) string {
	hint := "no passages were found: passage metrics do not apply"
	if paths := elsewhere(v, readings, reply.Passages, reply.Text); len(paths) > 0 {
		hint += "; if there are some, set " + strings.Join(paths, ", ")
	}
	return hint
}

// within reports whether path equals other or leads below it.
func within(path, other string) bool {
	rest, ok := strings.CutPrefix(path, other)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// elsewhere lists the suggestions for some fields, except paths that were read as
// something else.
func elsewhere(v any, readings []reply.Reading, fields ...string) []string {
	var out []string
	left := false
	for _, s := range reply.Suggest(v) {
		field, path, _ := strings.Cut(strings.TrimPrefix(s, "read."), ": ")
		if field != reply.Text { // a text belongs to the passages before it
			left = slices.ContainsFunc(readings, func(r reply.Reading) bool { return !r.Missing && within(r.Path, path) })
		}
		if !left && slices.Contains(fields, field) {
			out = append(out, s)
		}
	}
	return out
}
