package reply

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// A gather joins the pieces of an answer. Servers send either pieces or the whole text
// so far with each event, without saying which. The text is treated as cumulative if
// each text begins with the one before and this is unlikely to be a coincidence: either
// the texts grow into something other than repeats of the first ("ha", "haha" are
// pieces), or the first has at least 16 bytes, which no repeated token has. After two
// such steps a text replaces the one before even if it does not begin with it, since a
// last event may insert citations.
type gather struct {
	// pieces says that the server is known to send pieces, replies that each text is that of a whole
	// reply, so that repeats are not pieces.
	pieces, replies bool
	// held is a mark of the end, a piece if another follows.
	held string

	joined      strings.Builder
	n           int
	first, last string
	// chain is set while each text begins with the one before, repeats while each is a
	// repeat of the first; steps counts the texts that grew.
	chain, repeats bool
	steps          int
}

// longToken is the length from which a repeated text is not a repeated token.
const longToken = 16

func (g *gather) add(s string) {
	if s == "" {
		return
	}
	if !g.pieces && g.n > 0 && g.held == "" && marks().MatchString(s) {
		g.held = s
		return
	}
	s, g.held = g.held+s, ""
	switch {
	case g.pieces:
	case g.n == 0:
		g.first, g.chain, g.repeats = s, true, true
	case g.established():
		g.last = s
		return
	case g.chain && strings.HasPrefix(s, g.last):
		if len(s) > len(g.last) {
			g.steps++
		}
		g.repeats = g.repeats && strings.Count(s, g.first)*len(g.first) == len(s)
	default:
		g.chain = false
		// A last event that repeats the whole text.
		if g.n >= 2 && len(s) >= longToken && s == g.joined.String() {
			return
		}
	}
	g.n++
	g.last = s
	g.joined.WriteString(s)
}

// replace sets the whole text so far; pieces may follow.
func (g *gather) replace(s string) {
	if s == "" {
		return
	}
	g.joined.Reset()
	g.joined.WriteString(s)
	g.n, g.chain = max(g.n, 1)+1, false
}

func (g *gather) established() bool { return g.chain && g.steps >= 2 && !g.repeats }

func (g *gather) text() string {
	if g.chain && g.n >= 2 && (g.steps > 0 && !g.repeats || len(g.first) >= longToken || g.replies) {
		return g.last
	}
	so := g.joined.String()
	// A last event that repeats the whole text: of pieces that differ, so that it is no repeated word.
	if whole, ok := strings.CutSuffix(so, g.last); ok && g.n > 2 && whole == g.last && !g.chain {
		return whole
	}
	return so
}

// marks matches what ends a stream in place of a piece.
var marks = lazyregexp.New(`^\s*\[(?:DONE|END|STOP|EOS|FINISH|FINISHED|COMPLETE|COMPLETED)\]\s*$`)

// differs is the field in which a stream says that its texts differ.
const differs = "texts_differ"

// answerTexts are the texts of an answer in the events of an unknown protocol.
type answerTexts struct {
	gather
	// key is the field that holds them, "" if they are plain.
	key string
	// length is that of the list of which a path takes the last element.
	length int
	// differs is set once a text that is not part of the answer was in another field or in the last
	// event.
	differs bool
}

// in adds a text of a field. In another field than before, or in the last event, it is the whole
// answer if it is like the pieces, or a mark or a status, or else another answer.
func (t *answerTexts) in(key, s string, last bool) {
	switch so := t.text(); {
	case s == "" && so != "", last && (marks().MatchString(s) || so != "" && (slices.Contains(names().EndTypes, typeWord(s)) || Stop(s) == StopEnd)):
	case so == "", key == t.key && !last:
		t.key = key
		t.differs = t.differs || !t.pieces && !t.established() && !alike(so, s) && apart(t.last, s)
		t.add(s)
	case alike(so, s):
		t.replace(s)
	case key == "message":
	default:
		t.differs = t.differs || t.key != "message"
		t.gather, t.key = gather{pieces: t.pieces, replies: t.replies}, key
		t.add(s)
	}
}

// grown begins anew if the list of which a path takes the last element has become longer: each
// state of a graph has all the messages so far.
func (t *answerTexts) grown(p Path, v any) {
	for _, s := range p.steps {
		if list, _ := v.([]any); s.kind == byIndex && s.index < 0 {
			if len(list) > t.length {
				t.gather = gather{pieces: t.pieces, replies: t.replies}
			}
			t.length = len(list)
			return
		}
		v, _ = inside(v, s)
	}
}

// apart reports whether two texts are hardly pieces of one: each has several words, and the second
// begins with a capital letter right after the first.
func apart(a, b string) bool {
	end, _ := utf8.DecodeLastRuneInString(a)
	begin, _ := utf8.DecodeRuneInString(b)
	return unicode.IsUpper(begin) && (unicode.IsLower(end) || strings.ContainsRune(".!?…", end)) &&
		len(strings.Fields(a)) > 1 && len(strings.Fields(b)) > 1
}

// alike reports whether a text may be the whole of what was joined from pieces: it contains them,
// or the two begin alike.
func alike(joined, s string) bool {
	joined, s = strings.TrimSpace(joined), strings.TrimSpace(s)
	n, same := min(len(joined), len(s)), 0
	for same < n && joined[same] == s[same] {
		same++
	}
	return 2*same >= n || strings.Contains(s, joined)
}
