package prompt

import (
	"embed"
	"fmt"
	"strings"

	"github.com/assay-eval/assay/llm"
)

//go:embed frame/*.md
var frameFiles embed.FS

// A frame is the text around the data of every prompt, in one language.
type frame struct {
	// notice precedes the data; reminder follows the data and the reminder of the task;
	// repair answers an unusable reply, shorter a truncated one.
	notice, reminder, repair, shorter string
}

// loadFrames reads the frame for a form of data, "json" or "elements", in each
// language, and returns the files that it read.
func loadFrames(form string, want []string) (map[string]frame, map[string]string, error) {
	out, parts := map[string]frame{}, map[string]string{}
	for _, lang := range []string{fallback, "zh"} {
		file := "frame/" + lang + ".md"
		if form != "json" {
			file = "frame/" + form + "." + lang + ".md"
		}
		raw, err := readFile(frameFiles, file)
		if err != nil {
			return nil, nil, err
		}
		s, err := sections(file, raw, want...)
		if err != nil {
			return nil, nil, err
		}
		out[lang] = frame{notice: s["Notice"], reminder: s["Reminder"], repair: s["Repair"], shorter: s["Shorter"]}
		parts[file] = raw
	}
	return out, parts, nil
}

// placeholder is the nonce's placeholder in files, because [llm.NonceMark] contains
// control characters.
const placeholder = "{{nonce}}"

func withNonce(s string) string { return strings.ReplaceAll(s, placeholder, llm.NonceMark) }

// user returns the first message: notice, data, reminders.
func (p *Prompt) user(lang, data string) string {
	f := in(p.frames, lang)
	return withNonce(fmt.Sprintf("%s\n\n<data nonce=\"%s\">\n", f.notice, placeholder)) + data +
		withNonce(fmt.Sprintf("\n</data nonce=\"%s\">\n\n%s\n\n%s", placeholder, in(p.words, lang).reminder, f.reminder))
}
