package llm_test

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
)

// entries are calls by a client, in the order of their keys.
func entries(t testing.TB, n int) []assay.Call {
	t.Helper()
	ledger := &memory{}
	c := client(t, &scripted{name: "fake", f: echo}, func(cfg *llm.ClientConfig) {
		cfg.Ledger = ledger
		cfg.Now = func() time.Time { return time.Date(2026, 11, 21, 10, 0, 0, 123456789, time.FixedZone("", 3600)) }
	})
	for i := range n {
		must(t, c, ask(fmt.Sprintf("<%d> %s 你好\u2028\"\n", i, llm.NonceMark)))
	}
	var out []assay.Call
	for _, c := range ledger.calls {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b assay.Call) int { return strings.Compare(a.Key, b.Key) })
	return out
}

func seq(calls []assay.Call, end error) iter.Seq2[assay.Call, error] {
	return func(yield func(assay.Call, error) bool) {
		for _, c := range calls {
			if !yield(c, nil) {
				return
			}
		}
		if end != nil {
			yield(assay.Call{}, end)
		}
	}
}

func archived(t testing.TB, calls []assay.Call) string {
	t.Helper()
	var b bytes.Buffer
	if n, err := llm.WriteArchive(&b, seq(calls, nil)); err != nil || n != len(calls) {
		t.Fatalf("%d calls written, %v", n, err)
	}
	return b.String()
}

// unarchive reads until the first error.
func unarchive(text string) (calls []assay.Call, err error) {
	for c, err := range llm.ReadArchive(strings.NewReader(text), "a.jsonl") {
		if err != nil {
			return calls, err
		}
		calls = append(calls, c)
	}
	return calls, nil
}

func TestArchive(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 40} {
		calls := entries(t, n)
		text := archived(t, calls)
		if head, _, _ := strings.Cut(text, "\n"); head != fmt.Sprintf(`{"format":"assay.ledger/1","calls":%d}`, n) {
			t.Errorf("the first line is %s", head)
		}
		got, err := unarchive(text)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(calls, got); d != "" {
			t.Errorf("%d calls (-want +got):\n%s", n, d)
		}
		if again := archived(t, got); again != text {
			t.Errorf("what was read is written as\n%s\nand was\n%s", again, text)
		}
		// A replay from it answers.
		ledger := &memory{calls: map[string]assay.Call{}}
		for _, c := range got {
			ledger.calls[c.Key] = c
		}
		c := client(t, &scripted{name: "fake"}, func(cfg *llm.ClientConfig) { cfg.Ledger, cfg.Mode = ledger, llm.Replay })
		for i := range n {
			must(t, c, ask(fmt.Sprintf("<%d> %s 你好\u2028\"\n", i, llm.NonceMark)))
		}
	}
}

// A loop that is left early must not be called again: Go would panic.
func TestArchiveLeavesEarly(t *testing.T) {
	t.Parallel()
	for range llm.ReadArchive(strings.NewReader(archived(t, entries(t, 3))), "a") {
		break
	}
}

func TestReadArchiveErrors(t *testing.T) {
	t.Parallel()
	sealed := archived(t, entries(t, 3))
	// A file of an earlier version has no checksums.
	bare := regexp.MustCompile(`,"crc32c":"[0-9a-f]{8}"`).ReplaceAllString(sealed, "")
	lines := strings.SplitAfter(bare, "\n")
	head, one, two, three := lines[0], lines[1], lines[2], lines[3]
	for _, test := range []struct {
		name, text, want string
		calls            int
	}{
		{"empty", "", "a.jsonl:1: the file is empty", 0},
		{"no head", one + two, `a.jsonl:1: it is not a header`, 0},
		{"text", "hello\n", "a.jsonl:1: it is not a header", 0},
		{"other JSON", "[1]\n", "a.jsonl:1: it is not a header", 0},
		{"newer", `{"format":"assay.ledger/2"}`, `a.jsonl:1: the format is "assay.ledger/2"`, 0},
		{"unknown field of the head", `{"format":"assay.ledger/1","calls":0,"x":1}`, `a.jsonl:1: json: unknown field "x"`, 0},
		{"negative", `{"format":"assay.ledger/1","calls":-1}`, "a.jsonl:1: calls is -1", 0},
		{"UTF-16", "\xff\xfe{\x00", "a.jsonl:1: it is not a header", 0},
		{"cut at a line", head + one + two, "a.jsonl:4: the file ends after 2 calls: expected the 3", 2},
		{"cut in a line", head + one + two[:20], "a.jsonl:3: the JSON object is cut short", 1},
		{"one too many", head + one + two + three + three, "a.jsonl:5: one call too many", 3},
		{"twice", head + one + one + two, "a.jsonl:3: key ", 1},
		{"out of order", head + two + one + three, "a.jsonl:3: key ", 1},
		{"an empty line", head + one + "\n" + two, "a.jsonl:3: the line is empty", 1},
		{"two on a line", head + strings.TrimSpace(one) + two, "a.jsonl:2: more follows", 0},
		{"another question", head + strings.Replace(one, "你好", "再见", 1), "does not match the request", 0},
		{
			"another model",
			head + strings.Replace(one, `"model":"m","request"`, `"model":"n","request"`, 1),
			`the request is "assay.call/1" to fake m: expected "assay.call/1" to fake n`,
			0,
		},
		{"another reply", strings.Replace(sealed, `"input":100`, `"input":104`, 1), "a.jsonl:2: the line does not match its checksum", 0},
		{"no reply", head + strings.Replace(one, `"reply":{`, `"reply":null,"usage":{`, 1), "a.jsonl:2: ", 0},
		{"unknown field", head + strings.Replace(one, `"reply":`, `"answer":`, 1), `unknown field "answer"`, 0},
		{"negative usage", head + strings.Replace(one, `"input_tokens":100`, `"input_tokens":-1`, 1), "must not be negative", 0},
		{"no time", head + strings.Replace(one, "2026-11-21T09:00:00.123456789Z", "0001-01-01T00:00:00Z", 1), "made is 0001-01-01", 0},
	} {
		if strings.HasPrefix(test.text, head+one) && test.calls == 0 {
			t.Errorf("%s: the text was not changed", test.name)
		}
		calls, err := unarchive(test.text)
		if err == nil || !strings.Contains(err.Error(), test.want) || len(calls) != test.calls {
			t.Errorf("%s: %d calls, %v: want %d and %q", test.name, len(calls), err, test.calls, test.want)
		}
	}
	// What other tools do to a text file.
	for what, text := range map[string]string{"sealed": sealed, "without checksums": bare} {
		crlf := "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n")
		if calls, err := unarchive(strings.TrimSuffix(crlf, "\r\n")); err != nil || len(calls) != 3 {
			t.Errorf("%s, with a BOM and CRLF: %d calls, %v", what, len(calls), err)
		}
	}
}

func TestWriteArchiveErrors(t *testing.T) {
	t.Parallel()
	calls := entries(t, 3)
	broken := errors.New("broken")
	if _, err := llm.WriteArchive(&bytes.Buffer{}, seq(calls, broken)); !errors.Is(err, broken) {
		t.Errorf("an error of the ledger gives %v", err)
	}
	slices.Reverse(calls)
	if _, err := llm.WriteArchive(&bytes.Buffer{}, seq(calls, nil)); err == nil || !strings.Contains(err.Error(), "ascending") {
		t.Errorf("a wrong order gives %v", err)
	}
	calls[0].Reply = []byte("null")
	if _, err := llm.WriteArchive(&bytes.Buffer{}, seq(calls[:1], nil)); err == nil || !strings.Contains(err.Error(), calls[0].Key) {
		t.Errorf("a call that nobody could import gives %v", err)
	}
	growing := 0
	_, err := llm.WriteArchive(&bytes.Buffer{}, func(yield func(assay.Call, error) bool) {
		growing++
		seq(entries(t, growing), nil)(yield)
	})
	if err == nil || !strings.Contains(err.Error(), "had 1 calls and now has 2") {
		t.Errorf("a ledger that grows gives %v", err)
	}
}

// What is read is written again as something that is read as the same.
func FuzzReadArchive(f *testing.F) {
	whole := archived(f, entries(f, 2))
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(`{"format":"assay.ledger/1","calls":0}`)
	f.Fuzz(func(t *testing.T, text string) {
		calls, err := unarchive(text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "a.jsonl:") {
				t.Fatalf("%v has no position", err)
			}
			return
		}
		again, err := unarchive(archived(t, calls))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if d := cmp.Diff(calls, again); d != "" {
			// The text of a request may be spelled in another way.
			if archived(t, calls) != archived(t, again) {
				t.Fatal(d)
			}
		}
	})
}
