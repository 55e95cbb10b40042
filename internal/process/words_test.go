package process

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line, elsewhere, windows string // words with | between them
	}{
		{`python rag.py`, `python|rag.py`, `python|rag.py`},
		{`C:\Python\python.exe rag.py`, `C:Pythonpython.exe|rag.py`, `C:\Python\python.exe|rag.py`},
		{`"C:\Program Files\rag.exe" --top 5`, `C:\Program Files\rag.exe|--top|5`, `C:\Program Files\rag.exe|--top|5`},
		{`'C:\my rag\rag.exe' "it's \n"`, `C:\my rag\rag.exe|it's \n`, `C:\my rag\rag.exe|it's \n`},
		{`"C:\Bob's\rag.exe" 'a\b'`, `C:\Bob's\rag.exe|a\b`, `C:\Bob's\rag.exe|a\b`},
		{`say two\ words`, `say|two words`, `say|two\|words`},
		{`say "a \"b\" \c"`, `say|a "b" \c`, `say|a "b" \c`},
		{`"C:\a\"`, ``, ``}, // the last quote is a part of the word
		{`say "a`, ``, ``},
		{``, ``, ``},
		{`  `, ``, ``},
		{`"" x`, `|x`, `|x`},
		{`\\server\share\rag.exe`, `\servershare` + `rag.exe`, `\\server\share\rag.exe`},
	} {
		for system, want := range map[string]string{"linux": c.elsewhere, "darwin": c.elsewhere, "windows": c.windows} {
			got, err := wordsOn(system, c.line)
			if want == "" {
				if err == nil || !strings.Contains(err.Error(), "expected a program and its arguments") {
					t.Errorf("%s: %s: %q, %v: want an error that says what is right", system, c.line, got, err)
				}
				continue
			}
			if err != nil || !slices.Equal(got, strings.Split(want, "|")) {
				t.Errorf("%s: %s: %q, %v: want %s", system, c.line, got, err, want)
			}
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, line := range []string{`a b`, `C:\a "b c"`, `'`, `"\`, "a\x00\xffb"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		for _, system := range []string{"linux", "windows"} {
			words, err := wordsOn(system, line)
			if (err == nil) != (len(words) > 0) {
				t.Errorf("%s: %q gives %q and %v", system, line, words, err)
			}
		}
		// Without quotes, Windows keeps every backslash.
		if words, err := wordsOn("windows", line); err == nil && !strings.ContainsAny(line, `"'`) {
			if got, want := strings.Count(strings.Join(words, ""), `\`), strings.Count(line, `\`); got != want {
				t.Errorf("%q has %d backslashes, its words %d", line, want, got)
			}
		}
	})
}
