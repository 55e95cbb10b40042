package speech

import (
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

var (
	// speakerLabel matches a label of WhisperX and others, speakerLine a line of a name and a
	// time, as Otter and Zoom write it, and speakerName what may be a name before what was said: all
	// that is short, also in bold Markdown. plainName matches what is hardly anything else.
	speakerLabel = lazyregexp.New(`(?im)^[ \t]*(?:\[(?:speaker|spk)[_ ]?\w{1,3}\]:?|(?:speaker|spk)[_ ]?(?:\d{1,3}|[a-z]):)[ \t]*`)
	speakerLine  = lazyregexp.New(`(?m)^\S.{0,60}?(?:[ \t]{2,}|\][ \t]+|[ \t]*[(|][ \t]*)\d{1,2}:\d\d(?::\d\d)?\)?:?[ \t]*$`)
	speakerName  = lazyregexp.New(`(?m)^[ \t]*(?:>> ?)?(?:\*\*)?([^\s:：*]{1,40}(?: [^\s:：*]{1,40}){0,5})(?:(?:\*\*)?:(?:\*\*)?(?:[ \t]+|$)|：)`)
	// examined matches the labels of questions and answers in the record of a hearing.
	examined = lazyregexp.New(`(?m)^[ \t]*([QA])\.[ \t]+`)
	// markup matches the tokens of models such as Whisper, SenseVoice and Qwen3-ASR, and the times of segments. tag matches what some
	// write for a sound, in brackets.
	markup    = lazyregexp.New(`(?:\blanguage \pL+(?: \pL+)?)?<asr_text>|<\|[^|<>\n]{0,40}\|>|\[\d[\d:.,]*s?\s*--?>\s*[\d:.,]+s?\]`)
	tag       = lazyregexp.New(`<[^<>\n]{1,30}>|\[[^\[\]\n]{1,30}\]|\([^()\n]{1,30}\)|（[^（）\n]{1,30}）|【[^【】\n]{1,30}】`)
	plainName = lazyregexp.New(`^(?:\p{Lu}[\p{L}\p{N}.'’_-]*(?: [\p{Lu}\p{N}][\p{L}\p{N}.'’_-]*){0,3}|\p{Lo}{1,6})$`)
)

// Tags lists the tags of sounds in a transcript, such as [noise], that count as words, and that other, a transcript of the
// same recording, lacks.
func Tags(s, other string, p Profile) []string {
	if p.Raw || !strings.ContainsAny(s, ">])）】") {
		return nil
	}
	other = p.Normalise(other)
	return slices.DeleteFunc(tag().FindAllString(s, -1), func(t string) bool { return strings.Contains(other, p.Normalise(t)) })
}

// Spoken removes the markup of models and the labels of speakers from a transcript, also names before a colon, if
// half of the lines begin so and a name is there twice on average. Which are names depends on
// other, a transcript of the same recording. removed has each once.
func Spoken(s, other string) (spoken string, removed []string) {
	if lines := "\n" + s; strings.Contains(lines, "\nQ. ") && strings.Contains(lines, "\nA. ") {
		s = examined().ReplaceAllString(s, "$1: ")
	}
	if !strings.ContainsAny(s, ":：]>") {
		return s, nil
	}
	removed = markup().FindAllString(s, -1)
	slices.Sort(removed)
	removed = slices.Compact(removed)
	s = markup().ReplaceAllString(s, " ")
	s = speakerLabel().ReplaceAllString(speakerLine().ReplaceAllString(s, ""), "")
	lines, n, counts := 0, 0, map[string]int{}
	for l := range strings.Lines(s) {
		if strings.TrimSpace(l) != "" {
			lines++
		}
	}
	for _, name := range Names(s, other) {
		counts[name]++
	}
	var names []string
	for name, k := range counts {
		if k > 1 || plainName().MatchString(name) {
			n, names = n+k, append(names, name)
		}
	}
	if n < 2 || 2*n < lines || n < 2*len(names) {
		return s, removed
	}
	slices.Sort(names)
	return unlabelled(s, func(name string) bool { return slices.Contains(names, name) }), append(removed, names...)
}

// unlabelled removes what drop says of that stands before a colon.
func unlabelled(s string, drop func(name string) bool) string {
	return speakerName().ReplaceAllStringFunc(s, func(label string) string {
		if drop(speakerName().FindStringSubmatch(label)[1]) {
			return ""
		}
		return label
	})
}

// Names returns what may be the name of a speaker, of each line that begins with one. Words that
// other, a transcript of the same recording, has too were spoken, unless they look like a name
// or are there before a colon, again and again.
func Names(s, other string) (names []string) {
	if !strings.ContainsAny(s, ":：") {
		return nil
	}
	heard := sync.OnceValue(func() string {
		counts := map[string]int{}
		for _, m := range speakerName().FindAllStringSubmatch(other, -1) {
			counts[m[1]]++
		}
		return " " + Profile{}.Normalise(unlabelled(other, func(name string) bool { return counts[name] > 1 })) + " "
	})
	for _, m := range speakerName().FindAllStringSubmatch(s, -1) {
		if plainName().MatchString(m[1]) || !strings.Contains(heard(), " "+Profile{}.Normalise(m[1])+" ") {
			names = append(names, m[1])
		}
	}
	return names
}
