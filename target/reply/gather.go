package reply

import "strings"

// A gather joins the pieces of an answer. Servers send either pieces or the whole text
// so far with each event, without saying which. The text is treated as cumulative if
// each text begins with the one before and this is unlikely to be a coincidence: either
// the texts grow into something other than repeats of the first ("ha", "haha" are
// pieces), or the first has at least 16 bytes, which no repeated token has. After two
// such steps a text replaces the one before even if it does not begin with it, since a
// last event may insert citations.
type gather struct {
	// pieces says that the server is known to send pieces.
	pieces bool

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
	if g.chain && g.n >= 2 && (g.steps > 0 && !g.repeats || len(g.first) >= longToken) {
		return g.last
	}
	return g.joined.String()
}
