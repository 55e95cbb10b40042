package stage

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
)

// echoable returns the words of the question that an answer may echo: not those that ask.
func (s saying) echoable() []text.Token {
	words := s.folds.of(interrogative().ReplaceAllString(text.MatchForm(s.question), " $1"))
	return slices.DeleteFunc(slices.Clone(words), func(t text.Token) bool { return interrogatives[t.Text] })
}

// restEchoes reports whether the words beside the references are plain or echo the question, names in its
// order: "who beat Lyon" is not answered by "Lyon beat Paris". Beside a value this holds for what has a direction,
// as in "from USD to EUR".
func (a *assertion) restEchoes() bool {
	asked, values := a.asked()
	question := a.echoable()
	past := !slices.ContainsFunc(asked, func(t text.Token) bool { return present[t.Text] }) ||
		slices.ContainsFunc(asked, func(t text.Token) bool { return bygone[t.Text] })
	last, ordered := -1, true
	for i, t := range a.folded {
		next := i+1 < len(a.folded) && a.own[i+1]
		echo := func(q text.Token) bool { return sameWord(q.Text, t.Text) }
		switch {
		case a.own[i] && !a.named:
			last = -1
			continue
		case i > 0 && i == len(a.folded)-1 && !a.own[i] && closing[t.Text] && !slices.ContainsFunc(question, echo) &&
			(a.own[i-1] && (a.named || !measures[t.Text]) || t.Text[0] < utf8.RuneSelf):
			// "opt in" is not "opt", and "A3 is on" not what is off.
			return false
		case i == 0 && !a.own[i] && auxiliary[t.Text]:
			// "Is it 10 euros"
			return false
		case next && a.folded[i+1].Value == nil && placing[t.Text] && !slices.ContainsFunc(question, echo):
			// "Who made it?" "It was made by Brunner."
			last = len(question)
			continue
		case a.aside(i, asked):
			return false
		case a.own[i], t.Value == nil && plain[t.Text], past && bygone[t.Text],
			next && i > 0 && a.own[i-1] && (t.Text == "and" || t.Text == "和"),
			t.Value != nil && !a.chosen && slices.ContainsFunc(values, func(v text.Value) bool { return v.States(*t.Value) && t.Value.States(v) }):
			continue
		case t.Value != nil, denies(t) && !a.deniesAlike(i, asked), parting[t.Text], a.chosen, !slices.ContainsFunc(question, echo):
			return false
		}
		a.echoes = append(a.echoes, t)
		if at := slices.IndexFunc(question[min(last+1, len(question)):], echo); at >= 0 {
			last += at + 1
		} else if at := slices.IndexFunc(question, echo); a.named || at > 0 && directions[question[at-1].Text] {
			ordered = false
		}
	}
	return (ordered || a.named && last == len(question)) && a.keeps() && a.spells()
}

// keeps reports whether what echoes a qualified part of the question has its qualifier: "what is not covered?"
// is not answered by "batteries are covered", nor "who was fired by Tom?" by "Ray fired Tom".
func (a *assertion) keeps() bool {
	echoed := func(q text.Token) bool {
		return slices.ContainsFunc(a.echoes, func(t text.Token) bool { return sameWord(q.Text, t.Text) })
	}
	for _, clause := range clauseEnd().Split(noDenial().ReplaceAllString(text.MatchForm(a.question), ""), -1) {
		words := a.folds.of(clause)
		for i, q := range words {
			rest := words[i+1:]
			for len(rest) > 0 && plain[rest[0].Text] {
				rest = rest[1:]
			}
			denied := denies(q) || negations[q.Text]
			switch {
			case i > 0 && i+1 < len(words) && denied && words[i-1] == words[i+1]: // 是不是
				continue
			case denied && slices.ContainsFunc(a.folded, denies), slices.Contains(a.folded, q):
				continue
			case a.named && agents[q.Text]:
				rest = rest[:min(len(rest), 1)]
			case !denied && !qualifiers[q.Text]:
				continue
			case len(rest) == 0 && i > 0: // "sugar-free"
				rest = words[i-1 : i]
			}
			if slices.ContainsFunc(rest, echoed) {
				return false
			}
		}
	}
	return true
}

// deniesAlike reports whether the question denies the word after a denial too, as in "batteries are not covered".
func (a *assertion) deniesAlike(at int, question []text.Token) bool {
	for i := 1; i+1 < len(question) && at+1 < len(a.folded) && !a.own[at+1] && !plain[a.folded[at+1].Text]; i++ {
		if question[i] == a.folded[at] && question[i-1] != question[i+1] && sameWord(question[i+1].Text, a.folded[at+1].Text) {
			return true
		}
	}
	return false
}

// spells reports whether the Japanese and Korean words that echo the question stand there as they are: から is
// not in いくらですか.
func (a *assertion) spells() bool {
	question, rest := "", ""
	for _, t := range a.echoable() {
		question += t.Text
	}
	for i, t := range a.folded {
		if a.own[i] || plain[t.Text] || !strings.ContainsFunc(t.Text, text.IsCJK) {
			t.Text = " "
		}
		rest += t.Text
	}
	return !slices.ContainsFunc(strings.Fields(rest), func(run string) bool {
		return sounds().MatchString(run) && (utf8.RuneCountInString(run) == 1 || !strings.Contains(question, run))
	})
}

// aside reports whether a word puts a reference beside what is asked, as the question puts another
// place: "Which town near the river has it?" is not answered by "near Lyon", but "What is it near?" is.
func (a *assertion) aside(at int, question []text.Token) bool {
	of := func(words []text.Token) bool { return len(words) > 0 && ties[words[0].Text] }
	next := at + 1
	if of(a.folded[next:]) {
		next++
	}
	if a.own[at] || next >= len(a.folded) || !a.own[next] || !places[a.folded[at].Text] {
		return false
	}
	i := slices.Index(question, a.folded[at])
	return i > 0 && i < len(question)-1 && (i < len(question)-2 || !of(question[i+1:]))
}
