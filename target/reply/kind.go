package reply

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// kindOf describes the type of a decoded value.
func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return "text"
	case bool:
		return "true or false"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	case json.Number, float64, int, int64:
		return "a number"
	default:
		return fmt.Sprintf("%T", v)
	}
}

// characters describes the length of a text.
func characters(s string) string {
	if n := utf8.RuneCountInString(s); n != 1 {
		return fmt.Sprintf("text of %d characters", n)
	}
	return "text of 1 character"
}

// scalar formats a text or a number as text. Whole numbers have no exponent:
// 12345678901 is an id, 1.2345678901e+10 is not.
func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case int:
		return strconv.Itoa(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return "", false
		}
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case json.Number:
		if !strings.ContainsAny(v.String(), "eE") {
			return strings.TrimSuffix(v.String(), ".0"), true
		}
		f, err := v.Float64()
		if err != nil {
			return "", false
		}
		return scalar(f)
	}
	return "", false
}

// number reads a finite number, including one in a string: prices come as "0.0012".
func number(v any) (float64, bool) {
	var f float64
	switch v := v.(type) {
	case int:
		f = float64(v)
	case int64:
		f = float64(v)
	case float64:
		f = v
	case json.Number:
		var err error
		if f, err = v.Float64(); err != nil {
			return 0, false
		}
	case string:
		var err error
		if f, err = strconv.ParseFloat(strings.TrimSpace(v), 64); err != nil {
			return 0, false
		}
	default:
		return 0, false
	}
	return f, !math.IsNaN(f) && !math.IsInf(f, 0)
}

// maxCount bounds counts: larger integers are not exact in JSON.
const maxCount = 1 << 53

// count reads a whole number, 0 or more.
func count(v any) (int, bool) {
	f, ok := number(v)
	if !ok || f < 0 || f > maxCount || f != math.Trunc(f) {
		return 0, false
	}
	return int(f), true
}

// maxDepth bounds how deep an answer is searched for inside an object.
const maxDepth = 4

// TextOf converts a value to text: a text, a number or boolean as JSON, a list of the
// parts of a message, or an object with one obvious text.
func TextOf(v any) (string, bool) { return textWithin(v, maxDepth) }

func textWithin(v any, depth int) (string, bool) {
	if depth < 0 {
		return "", false
	}
	switch v := v.(type) {
	case nil:
		return "", false
	case bool:
		return strconv.FormatBool(v), true
	case []any:
		return partsText(v, depth)
	case map[string]any:
		for _, k := range names().TextWithin {
			if v[k] == nil {
				continue
			}
			if s, ok := textWithin(v[k], depth-1); ok {
				return s, true
			}
		}
		return onlyText(v)
	}
	return scalar(v)
}

// onlyText returns the text of an object with a single field.
func onlyText(o map[string]any) (string, bool) {
	for _, v := range o {
		s, ok := v.(string)
		return s, ok && len(o) == 1
	}
	return "", false
}

// partsText joins the text parts of a message; parts of other types, such as images,
// thoughts and refusals, are omitted.
func partsText(parts []any, depth int) (string, bool) {
	var b strings.Builder
	found := len(parts) == 0
	var before map[string]any
	for _, p := range parts {
		s, ok := p.(string)
		o, is := p.(map[string]any)
		joined := oneText(before, o)
		parted := isTextPart(before) && isTextPart(o)
		if before = o; is && (isReasoningPart(o) || o["type"] == StopRefusal) {
			found = true
		} else if is && isTextPart(o) {
			s, ok = textWithin(o["text"], depth-1)
		} else if cited, of := o["citationsContent"].(map[string]any); of { // Amazon Bedrock's Converse
			s, ok = textWithin(cited["content"], depth-1)
		}
		switch {
		case !ok:
			continue
		case joined || is && continues(b.String(), s, parted):
			b.WriteString(s)
		default:
			joinPart(&b, s)
		}
		found = true
	}
	return b.String(), found
}

// isTextPart reports whether a part is text by its type; a part without a type is.
func isTextPart(o map[string]any) bool {
	switch t, _ := o["type"].(string); t {
	case "", "text", "output_text", "text_delta":
		return o["text"] != nil
	}
	return false
}

// oneText reports whether parts that follow each other are pieces of one text: Anthropic parts it where it cites.
func oneText(before, o map[string]any) bool {
	return isTextPart(before) && (!empty(before["citations"]) || !empty(o["citations"]))
}

// isReasoningPart reports whether a part is what a model thought: one of type thinking,
// reasoning_text and the like, or marked by Gemini.
func isReasoningPart(o map[string]any) bool {
	t, _ := o["type"].(string)
	return o["thought"] == true || strings.Contains(t, "think") || strings.Contains(t, "reasoning")
}

// joinPart appends a part, on a new line unless white space separates them.
func joinPart(b *strings.Builder, part string) {
	if part == "" {
		return
	}
	if so := b.String(); so != "" && !endsInSpace(so) && !startsWithSpace(part) {
		b.WriteByte('\n')
	}
	b.WriteString(part)
}

// continues reports whether a part goes on in the middle of a sentence or of a word of the part before:
// servers part a text where they cite, and software joins such parts with nothing. Words go on in a text
// that follows a text, not after an image.
func continues(before, part string, parted bool) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(part)
	return strings.ContainsRune(".,;:!?)]}%。，、；：！？）」", next) ||
		parted && (unicode.IsLower(next) && unicode.IsLetter(last) || unicode.Is(unicode.Han, next) && unicode.Is(unicode.Han, last))
}

func endsInSpace(s string) bool     { return strings.TrimRight(s[len(s)-1:], " \t\n\r") == "" }
func startsWithSpace(s string) bool { return strings.TrimLeft(s[:1], " \t\n\r") == "" }

// Failed returns the field in which a reply says that it is a failure, and what it says; "" if it
// is none.
func Failed(o map[string]any) (field, says string) {
	why := prefixed(", ", textIn(o, "message", "msg", "detail", "reason", "error_message", "error_msg", "errorMessage"))
	status, _ := o["status"].(string)
	broken := Broken(o)
	switch {
	case broken != nil:
		return "choices", broken.Message
	case is(o["error"], true):
		return "error", `"error": true` + why
	case failureText(o["error"]) != "":
		return "error", failureText(o["error"])
	case is(o["is_error"], true): // the command line of Claude
		return "is_error", `"is_error": true` + prefixed(", ", textIn(o, "result", "subtype"))
	case is(o["isError"], true): // MCP
		says, _ := TextOf(o["content"])
		return "isError", `"isError": true` + prefixed(", ", says)
	case is(o["ok"], false):
		return "ok", `"ok": false` + why
	case is(o["success"], false):
		return "success", `"success": false` + why
	case slices.Contains([]string{"error", "failed", "failure"}, strings.ToLower(status)):
		return "status", fmt.Sprintf(`"status": %q`, status) + why
	}
	for _, name := range statusNames[:3] {
		if n, _ := count(o[name]); n > 0 && n == statusOf(n) {
			return name, fmt.Sprintf(`"%s": %d`, name, n) + why
		}
	}
	return "", ""
}

// is reports whether a field is b, or the text of it.
func is(v any, b bool) bool {
	s, _ := v.(string)
	return v == b || strings.EqualFold(s, strconv.FormatBool(b))
}

// fault is Also of the fields that are named, with the path of the one that it found.
func fault(root map[string]any) (path Path, says string) {
	for _, c := range names().Containers {
		o, way := root, []string{}
		if c != "" {
			o, _ = root[c].(map[string]any)
			way = append(way, c)
		}
		first := len(names().Failures)
		field := ""
		for _, k := range slices.Sorted(maps.Keys(o)) {
			i := slices.Index(names().Failures, wordMarks.Replace(strings.ToLower(k)))
			if i >= 0 && i < first && failureText(o[k]) != "" {
				first, field = i, k
			}
		}
		if field != "" {
			return keys(append(way, field)...), failureText(o[field])
		}
	}
	return Path{}, ""
}

// Also returns the failure that a reply reports, also in a field which others fill beside an answer; "" if it reports none.
func Also(root map[string]any) string {
	_, failed := Failed(root)
	_, says := fault(root)
	return cmp.Or(failed, says, failureText(root[coded(root)]))
}

var wordMarks = strings.NewReplacer("-", "", "_", "", " ", "")

// FailureIn returns the failure that a decoded reply reports, nil if it reports none.
func FailureIn(v any) (own *FailureError) {
	m, _, _ := Detect(v)
	_, _, err := m.Read(v)
	errors.As(err, &own)
	return own
}

// statusNames are the fields of a failure that may have its status or the name of one.
var statusNames = []string{"status", "status_code", "statusCode", "code", "type", "http_status", "httpStatus"}

// StatusOf returns the HTTP status of a failure, 400 to 599: one that it has, or the one that the name of
// its code stands for; 0 if there is none. That of its cause, which may be in a list or JSON in a text, comes first.
func StatusOf(v any) (status int) {
	v = Decoded(v)
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	o, _ := v.(map[string]any)
	for _, name := range statusNames {
		status = cmp.Or(status, statusOf(o[name]))
	}
	causes := []any{o["extensions"], o["detail"], o["fault"], names().Broken.first(inOrder(v))}
	if at, says := fault(o); says != "" {
		named, _ := at.one(o)
		causes = append(causes, named)
	}
	for _, cause := range causes {
		if cause != nil {
			status = cmp.Or(StatusOf(cause), status)
		}
	}
	return status
}

// statusOf returns the status that a code is or stands for, 0 if none.
func statusOf(v any) int {
	s, _ := scalar(v)
	if n, _ := count(cmp.Or(meaning(names().Statuses, strings.ReplaceAll(strings.ToLower(s), "-", "_")), s)); n >= 400 && n <= 599 {
		return n
	}
	return 0
}

// failureText reads a failure field; "" if it reports no failure.
func failureText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		v = strings.TrimSpace(v)
		if n, ok := number(v); ok && succeeds(n) || Stop(v) == StopEnd {
			return ""
		}
		return v
	case bool:
		if v {
			return "the system reports a failure"
		}
		return ""
	case []any:
		var all []string
		for _, e := range v {
			if s := failureText(e); s != "" {
				all = append(all, s)
			}
		}
		return strings.Join(all, "; ")
	case map[string]any:
		for _, k := range []string{"message", "detail", "error", "reason", "errorText", "errorMessage", "msg"} {
			if s := failureText(v[k]); s != "" {
				return s
			}
		}
		if !slices.ContainsFunc(slices.Collect(maps.Values(v)), func(v any) bool { return failureText(v) != "" }) {
			return ""
		}
		raw, err := json.Marshal(v)
		if err != nil {
			return "the system reports a failure"
		}
		return string(raw)
	}
	if f, ok := number(v); ok && !succeeds(f) && f == math.Trunc(f) { // another is an error rate
		s, _ := scalar(v)
		return "code " + s
	}
	return ""
}

// succeeds reports whether a code is one of success: 0, or a status of HTTP.
func succeeds(code float64) bool { return code == 0 || code >= 200 && code < 300 }
