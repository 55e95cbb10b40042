package text

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	itext "github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric"
)

// A bag is a multiset of strings.
type bag map[string]int

// add counts the runs of n tokens.
func (b bag) add(tokens []string, n int) {
	for i := 0; i+n <= len(tokens); i++ {
		// Tokens contain no white space, so the joined string is unambiguous.
		b[strings.Join(tokens[i:i+n], " ")]++
	}
}

func bagOf(tokens []string, n int) bag {
	b := bag{}
	b.add(tokens, n)
	return b
}

// shared returns the size of the intersection of two multisets.
func (b bag) shared(other bag) int {
	sum := 0
	for t, n := range b {
		sum += min(n, other[t])
	}
	return sum
}

// plain are the metrics of shared runs as their definitions have them, with multisets of
// strings.
var plain = map[string]func(answer, reference string) float64{
	"token_f1": func(answer, reference string) float64 {
		a, r := plainSquad(answer), plainSquad(reference)
		if len(a) == 0 && len(r) == 0 {
			return 1
		}
		return matchOf(bagOf(a, 1).shared(bagOf(r, 1)), len(a), len(r)).f1()
	},
	"exact_match": func(answer, reference string) float64 {
		if slices.Equal(plainSquad(answer), plainSquad(reference)) {
			return 1
		}
		return 0
	},
	"rouge_1":   func(answer, reference string) float64 { return plainROUGE(answer, reference, 1) },
	"rouge_2":   func(answer, reference string) float64 { return plainROUGE(answer, reference, 2) },
	"bleu(13a)": func(answer, reference string) float64 { return plainBLEU(plain13a(answer), plain13a(reference)) },
	"bleu(zh)":  func(answer, reference string) float64 { return plainBLEU(plainZh(answer), plainZh(reference)) },
	"chrf":      plainChrF,
}

// plainSquad and plainWords are the tokens by their characters, whatever the script.
func plainSquad(s string) []string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) || r < unicode.MaxASCII && unicode.IsSymbol(r) {
			return -1
		}
		return r
	}, itext.Fold(s))
	return slices.DeleteFunc(itext.Tokens(s), func(t string) bool { return t == "a" || t == "an" || t == "the" })
}

func plainWords(s string) []string {
	return itext.Tokens(strings.Map(func(r rune) rune {
		if r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return r
		}
		return ' '
	}, itext.Fold(s)))
}

func plainROUGE(answer, reference string, n int) float64 {
	a, r := plainWords(answer), plainWords(reference)
	return matchOf(bagOf(a, n).shared(bagOf(r, n)), max(len(a)-n+1, 0), max(len(r)-n+1, 0)).f1()
}

func plainBLEU(a, r []string) float64 {
	logs, orders, halvings, matched := 0.0, 0, 0, false
	for n := 1; n <= bleuOrder && n <= len(a); n++ {
		common := float64(bagOf(a, n).shared(bagOf(r, n)))
		if common == 0 {
			halvings++
			common = math.Ldexp(1, -halvings)
		} else {
			matched = true
		}
		logs += math.Log(common / float64(len(a)-n+1))
		orders++
	}
	if !matched {
		return 0
	}
	penalty := 1.0
	if len(a) < len(r) {
		penalty = math.Exp(1 - float64(len(r))/float64(len(a)))
	}
	return 100 * penalty * math.Exp(logs/float64(orders))
}

// plainRules are those of sacreBLEU.
var plainRules = []struct {
	find *regexp.Regexp
	by   string
}{
	{regexp.MustCompile(`[!-&(-+/:-@\[-` + "`" + `{-~]`), " $0 "},
	{regexp.MustCompile(`([^0-9])([.,])`), "$1 $2 "},
	{regexp.MustCompile(`([.,])([^0-9])`), " $1 $2"},
	{regexp.MustCompile(`([0-9])-`), "$1 - "},
}

func plainSplit(s string) []string {
	for _, rule := range plainRules {
		s = rule.find.ReplaceAllString(s, rule.by)
	}
	return strings.FieldsFunc(s, isSpace)
}

func plain13a(s string) []string {
	s = strings.ReplaceAll(strings.TrimRightFunc(s, isSpace), "<skipped>", "")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "-\n", ""), "\n", " ")
	return plainSplit(" " + bleuEntities.Replace(s) + " ")
}

func plainZh(s string) []string { return plainSplit(zhSpaced(s)) }

func plainChrF(answer, reference string) float64 {
	var sum match
	lengths := 0
	compare := func(a, r bag, na, nr int) {
		if na > 0 && nr > 0 {
			m := matchOf(a.shared(r), na, nr)
			sum.precision += m.precision
			sum.recall += m.recall
			lengths++
		}
	}
	for n := 1; n <= chrfCharacters; n++ {
		a, na := plainCharacters(squeeze(answer), n)
		r, nr := plainCharacters(squeeze(reference), n)
		compare(a, r, na, nr)
	}
	aw, rw := chrfTokens(answer), chrfTokens(reference)
	for n := 1; n <= chrfWords; n++ {
		compare(bagOf(aw, n), bagOf(rw, n), len(aw)-n+1, len(rw)-n+1)
	}
	if sum.precision+sum.recall == 0 {
		return 0
	}
	p, q := sum.precision/float64(lengths), sum.recall/float64(lengths)
	return 100 * 5 * p * q / (4*p + q)
}

// plainCharacters counts the runs of n characters.
func plainCharacters(s string, n int) (bag, int) {
	b, total := bag{}, 0
	for from := range s {
		end := from
		for range n {
			_, size := utf8.DecodeRuneInString(s[end:])
			if size == 0 {
				return b, total
			}
			end += size
		}
		b[s[from:end]]++
		total++
	}
	return b, total
}

// texts draws texts of what the tokenizers tell apart. Each test has a generator of its own: one is
// not safe for concurrent use.
func texts() *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(rapid.OneOf(
		rapid.SampledFrom([]string{
			"a", "the", "The", "tower", "café", "x", "1", "12", "0", ".", ",", "-", "'", "!", "(", ")", "/", "~", "&", "&amp;", "&lt;", "<skipped>", "-\n",
			" ", "  ", "\n", "\t", "\x1c", "\u00a0", "\u2003", "今", "天", "好", "。", "，", "カ", "한", "\U00020BB7", "\uFFFD", "\xff", "\xe4", "\xe4\xbd",
			"\xa0", "ß", "İ", "①", "e\u0301", "_", "½", "١", "...", "1.5", "1,000", "3-4",
		}),
		rapid.String(),
	), 0, 40), func(parts []string) string { return strings.Join(parts, "") })
}

// TestPlainTokens compares the tokens with those by characters, on ASCII alone too.
func TestPlainTokens(t *testing.T) {
	t.Parallel()
	ascii := rapid.Map(rapid.SliceOf(rapid.ByteRange(0, 0x7F)), func(b []byte) string { return string(b) })
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(texts(), ascii).Draw(t, "text")
		if got, want := squad(s), plainSquad(s); !slices.Equal(got, want) {
			t.Errorf("squad(%q) = %q, want %q", s, got, want)
		}
		if got, want := fields(s), strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || 0x1C <= r && r <= 0x1F }); !slices.Equal(got, want) {
			t.Errorf("fields(%q) = %q, want %q", s, got, want)
		}
		if got, want := Words(s), plainWords(s); !slices.Equal(got, want) {
			t.Errorf("Words(%q) = %q, want %q", s, got, want)
		}
	})
}

// TestPlain compares the metrics with their definitions: every value is the same to the
// last bit, on arbitrary bytes too, and with metrics that share what they compute.
func TestPlain(t *testing.T) {
	t.Parallel()
	catalog := metric.NewCatalog(Defs()...)
	rapid.Check(t, func(t *rapid.T) {
		in := answer(texts().Draw(t, "answer"), texts().Draw(t, "reference"), texts().Draw(t, "another reference"))
		if rapid.Bool().Draw(t, "alike") {
			in.Case.Want.Answers[0] = in.Response.Answer + in.Case.Want.Answers[0]
		}
		if rapid.Bool().Draw(t, "shared") {
			in.Memo = metric.Memo{}
		}
		for name, formula := range plain {
			m, err := catalog.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			want := math.Inf(-1)
			for _, r := range in.Case.Want.Answers {
				want = max(want, formula(in.Response.Answer, r))
			}
			want = min(want, m.Def.Range[1])
			if got := m.Score(t.Context(), in); got.State != assay.Scored || math.Float64bits(got.Value) != math.Float64bits(want) {
				t.Fatalf("%s: %v %v %s: want %v", m.Name, got.State, got.Value, got.Reason, want)
			}
		}
	})
}

// Bytes that are not UTF-8 are characters, and two of them are equal if the bytes are.
func TestCharactersOfInvalidText(t *testing.T) {
	t.Parallel()
	in := answer("\xff\xfe\uFFFD", "\xfe\uFFFD\xff")
	value(t, "chrf", scored(t, "chrf", in), plainChrF(in.Response.Answer, in.Case.Want.Answers[0]), 0)
	in = answer("\xff", "\xfe")
	value(t, "chrf", scored(t, "chrf", in), 0, 0)
}

// TestPlainGrounding compares the metrics of passages with their definitions.
func TestPlainGrounding(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		said := texts().Draw(t, "answer")
		passages := rapid.SliceOfN(texts(), 1, 4).Draw(t, "passages")
		for _, m := range []struct {
			def   *metric.Def
			split func(string) []string
			n     int
		}{{KPrecision, squad, 1}, {ROUGE2Precision, Words, 2}} {
			tokens, known := m.split(said), bag{}
			for _, p := range passages {
				if strings.TrimSpace(p) != "" {
					known.add(m.split(p), m.n)
				}
			}
			got, err := m.def.New(metric.Params{})(t.Context(), grounds(said, passages...))
			if err != nil {
				t.Fatal(err)
			}
			if got.State != assay.Scored {
				continue
			}
			if want := float64(bagOf(tokens, m.n).shared(known)) / float64(len(tokens)-m.n+1); got.Value != want {
				t.Fatalf("%s: %v: want %v", m.def.Name, got.Value, want)
			}
		}
	})
}

// TestTokensOfBLEU compares the tokenizers with the rules of sacreBLEU.
func TestTokensOfBLEU(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := texts().Draw(t, "text")
		if got, want := bleu13a(s), plain13a(s); !slices.Equal(got, want) {
			t.Fatalf("13a: %q: want %q", got, want)
		}
		if got, want := bleuZh(s), plainZh(s); !slices.Equal(got, want) {
			t.Fatalf("zh: %q: want %q", got, want)
		}
	})
}
