package prompt

import (
	"embed"
	"fmt"
	"strings"

	"github.com/assay-eval/assay/llm"
)

//go:embed frame/*.md
var frameFiles embed.FS

// A frame is what stands around the data in every prompt, in one language.
type frame struct {
	// notice stands before the data, reminder after it and after that of the
	// task; repair answers a reply that cannot be used, shorter one that was
	// cut off.
	notice, reminder, repair, shorter string
}

// loadFrames reads the frame of a form of material, "json" or "elements", in
// each language, and gives the texts that it was read from.
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

// placeholder stands in files for the nonce, whose mark has control characters.
const placeholder = "{{nonce}}"

func withNonce(s string) string { return strings.ReplaceAll(s, placeholder, llm.NonceMark) }

// user writes the first message: notice, data, reminders.
func (p *Prompt) user(lang, data string) string {
	f := in(p.frames, lang)
	return withNonce(fmt.Sprintf("%s\n\n<data nonce=\"%s\">\n", f.notice, placeholder)) + data +
		withNonce(fmt.Sprintf("\n</data nonce=\"%s\">\n\n%s\n\n%s", placeholder, in(p.words, lang).reminder, f.reminder))
}
