package speech

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	const s = "我 去office 2024\xff"
	for u, want := range map[Unit][]string{
		Characters: {"我", "去", "o", "f", "f", "i", "c", "e", "2", "0", "2", "4", "\xff"},
		Words:      {"我", "去office", "2024\xff"},
		Mixed:      {"我", "去", "office", "2024\xff"},
	} {
		if got := u.Tokens(s); !slices.Equal(got, want) {
			t.Errorf("%s: %q: want %q", u, got, want)
		}
	}
}

func TestScriptsAddUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("我你去開开唔不ab 12éж")))
		c := Compare(s.Draw(t, "reference"), s.Draw(t, "hypothesis"), Options{})
		for _, r := range []Rates{c.Strict, c.Folded} {
			if sum := r.Scripts.CJK.Add(r.Scripts.Latin).Add(r.Scripts.Other); sum != r.Mixed {
				t.Fatalf("by script %+v, together %+v", r.Scripts, r.Mixed)
			}
		}
		if c.Folded.Characters.Errors() > c.Strict.Characters.Errors() {
			t.Fatalf("folded has %d errors, strict %d", c.Folded.Characters.Errors(), c.Strict.Characters.Errors())
		}
	})
}

func TestWrittenChinese(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ref, hyp string
		want     []Rewording
	}{
		{"佢係唔係喺度", "他是不是在度", []Rewording{{"係", "是", 2}, {"佢", "他", 1}, {"唔", "不", 1}, {"喺", "在", 1}}},
		{"我哋冇錢", "我們沒有錢", []Rewording{{"冇", "沒有", 1}, {"哋", "們", 1}}},
		{"我冇嘅", "我没的", []Rewording{{"冇", "沒有", 1}, {"嘅", "的", 1}}},
		// One 是 stands in the place of one 係.
		{"係係", "是", []Rewording{{"係", "是", 1}}},
		{"關係唔錯", "關是不錯", []Rewording{{"唔", "不", 1}}}, // 係 is a part of a word.
		// A script is no wording, and neither is another error.
		{"唔係", "唔系", []Rewording{}},
		{"唔好", "吳好", []Rewording{}},
	} {
		if got := Compare(c.ref, c.hyp, Options{}).WrittenChinese; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s as %s: %+v: want %+v", c.ref, c.hyp, got, c.want)
		}
	}
}

func TestKeywords(t *testing.T) {
	t.Parallel()
	const ref = "搭 MTR 去香港大學用八達通，收費 3.09%"
	keywords := []string{"MTR", "香港大學", "octopus|八達通", "3.09%", "bus", "", "|", "mtr"}
	for _, c := range []struct {
		hyp    string
		script Script
		lost   []string
	}{
		{ref, Strict, []string{}},
		{"搭mtr去香 港 大 學用Octopus收費3.09 ％", Strict, []string{}},
		{"搭MTRC去香港大学用octopuses收費 3.9%", Strict, []string{"MTR", "香港大學", "octopus|八達通", "3.09%"}},
		{"搭MTR去香港大学用八达通，收费 3.09%", Folded, []string{}},
		{"", Strict, []string{"MTR", "香港大學", "octopus|八達通", "3.09%"}},
	} {
		k := CompareKeywords(ref, c.hyp, keywords, Profile{}, c.script)
		if !slices.Equal(k.Said, []string{"MTR", "香港大學", "octopus|八達通", "3.09%"}) || !slices.Equal(k.Lost, c.lost) {
			t.Errorf("%q: said %q, lost %q: want %q", c.hyp, k.Said, k.Lost, c.lost)
		}
	}
	if _, ok := CompareKeywords("", "MTR", keywords, Profile{}, Strict).Rate(); ok {
		t.Error("keywords that no one said have a rate")
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ref, hyp    string
		want        Counts
		lost, added []string
	}{
		{"收費 HK$1,065", "收費一千零六十五蚊", Counts{Hits: 1}, nil, nil},
		{"1,00,000 rupees, २० लोग, ۲۰", "100000 rupees, 20 लोग, 20", Counts{Hits: 3}, nil, nil},
		{"１０６５元", "1065 dollars", Counts{Hits: 1}, nil, nil},
		{"增加百分之三", "增加3%", Counts{Hits: 1}, nil, nil},
		{"增加 3%", "增加 3", Counts{Substitutions: 1}, []string{"3%"}, []string{"3"}},
		{"六月二十五號", "6月25日", Counts{Hits: 1}, nil, nil},
		{"二〇二四年六月二十五日三點", "2024年6月25日3點", Counts{Hits: 2}, nil, nil},
		{"五蚊", "5蚊", Counts{Hits: 1}, nil, nil},
		{"120 and 13", "130 and 13 of 5", Counts{Hits: 1, Substitutions: 1, Insertions: 1}, []string{"120"}, []string{"130", "5"}},
		{"none", "none", Counts{}, nil, nil},
		{"十二萬", "120,000", Counts{Hits: 1}, nil, nil},
	} {
		n := CompareNumbers(c.ref, c.hyp)
		if n.Counts != c.want || !slices.Equal(n.Lost, c.lost) || !slices.Equal(n.Added, c.added) {
			t.Errorf("%q as %q: %+v: want %+v, lost %q, added %q", c.ref, c.hyp, n, c.want, c.lost, c.added)
		}
	}
}

func TestSegment(t *testing.T) {
	t.Parallel()
	for s, want := range map[string][]string{
		"香港大學圖書館今日開放":       {"香港大學", "圖書館", "今日", "開放"},
		"香港大学图书馆":           {"香港大学", "图书馆"},
		"我去 office 開會 2024": {"我", "去", "office", "開會", "2024"},
		"𠮷龘":                {"𠮷", "龘"},
		"":                  nil,
	} {
		if got := Segment(s); !slices.Equal(got, want) {
			t.Errorf("%q is cut into %q: want %q", s, got, want)
		}
	}
}

func FuzzSegment(f *testing.F) {
	f.Add("香港大學圖書館 a1 開放")
	f.Fuzz(func(t *testing.T, s string) {
		var all, want string
		for _, w := range Segment(s) {
			all += w
		}
		for _, c := range Mixed.Tokens(s) {
			want += c
		}
		if all != want {
			t.Errorf("%q is cut into %q", s, all)
		}
	})
}
