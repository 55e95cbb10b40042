package text_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/text"
)

func TestPhrase(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		phrase, s string
		in        bool
	}{
		{"40 dollars", "It costs forty dollars.", true},
		{"40 dollars", "It costs $40.", true},
		{"40 dollars", "It costs fifty dollars.", false},
		{"40 dollars", "It costs 400 dollars.", false},
		{"forty-two men", "There are 42 men.", true},
		{"1,000 people", "One thousand people came, a hundred left.", true},
		{"100 people", "A hundred people left.", true},
		{"1,200,000 people", "1.2 million people", true},
		{"1065", "no 1,065 at all", true},
		{"40元", "按金為四十元。", true},
		{"四十元", "按金為40元。", true},
		{"350人", "三百五十人", true},
		{"12人", "十二人", true},
		{"2小時", "兩小時", true},
		{"3 May 2021", "on 2021-05-03", true},
		{"2021年5月3日", "民國110年5月3日", true},
		{"3 May 2021", "on 2021-05-04", false},
		{"steel|40 dollars", "forty dollars", true},
		{"", "40", false},
		{"iron", "steel", false},
	} {
		if got := text.NewPhrase(test.phrase).In(text.MatchForm(test.s)); got != test.in {
			t.Errorf("%q in %q: %v", test.phrase, test.s, got)
		}
	}
}

// A phrase is in a text only as a whole: not within a longer number, name, path, address or code.
func TestPhraseWithinLongerOne(t *testing.T) {
	t.Parallel()
	for phrase, texts := range map[string][2][]string{ // those that have it, and those that do not
		"/etc/vex":        {{"in `/etc/vex`.", "(/etc/vex)", "/etc/vex/ or"}, {"in `/etc/vex.d`", "/etc/vex/conf", "/opt/etc/vex"}},
		"2.1":             {{"It is 2.1.", "v 2.1, or", "(2.1)", "2.1…", "2.1?"}, {"2.10", "2.1-rc1", "2.1.3", "12.1", "0.2.1", "2.1+build"}},
		"0x1F8B":          {{"is 0x1f8b."}, {"is 0x1F8B08."}},
		"4f2a9c1":         {{"commit 4f2a9c1."}, {"commit 4f2a9c1d77"}},
		"X-Tenant":        {{"the header X-Tenant:"}, {"X-Tenant-Region", "pre-X-Tenant"}},
		"--max":           {{"use --max 3", "--max=3"}, {"use --max-time 3"}},
		"wend plan":       {{"run wend plan."}, {"run wend plan-apply."}},
		"zill":            {{"import zill"}, {"import zill-async", "zill.core"}},
		"pool":            {{"pool: close it", "Pool's"}, {"pool.close", "pool_close"}},
		"main.py":         {{"main.py: line 3"}, {"main.pyc", "main.py.bak"}},
		"192.168.1.1":     {{"at 192.168.1.1."}, {"at 192.168.1.10.", "192.168.1.1/24"}},
		"INV-2023-01":     {{"INV-2023-01 and"}, {"INV-2023-01-B", "INV-2023-011"}},
		"EN 60335-1":      {{"EN 60335-1, part"}, {"EN 60335-1-2"}},
		"ISO 9001":        {{"ISO 9001."}, {"ISO 9001-3", "ISO 9001:2015"}},
		"Article 12":      {{"Article 12."}, {"Article 12a", "Article 12.3"}},
		"GPT-4":           {{"GPT-4 is"}, {"GPT-4o", "GPT-4-turbo", "GPT-4.1"}},
		"C":               {{"in C."}, {"in C++", "in C#", "C/C"}},
		"Pro":             {{"the Pro plan"}, {"the Pro+ plan", "Pro-Lite"}},
		"help@fennel.org": {{"<help@fennel.org>"}, {"help@fennel.org.ca", "no-help@fennel.org"}},
		"lode.dev":        {{"on https://lode.dev/", "lode.dev."}, {"lode.dev.test", "me@lode.dev", "lode.dev/test"}},
		"K-100":           {{"K-100,"}, {"K-100/2", "K-1000"}},
		"9:40":            {{"at 9:40."}, {"at 9:40:30", "19:40"}},
		"5 %":             {{"of 5 %"}, {"of 3,5 %", "of 1.5 %"}},
		"5 °C":            {{"at 5 °C"}, {"at -5 °C", "at −5 °C", "at 1 005 °C"}},
		"350 kr":          {{"kostar 350 kr", "year 2010 350 kr"}, {"kostar 1 350 kr", "kostar 1.350 kr"}},
		"1985":            {{"from 1985-1990", "(1980-1985)"}, {"no. 1985-3", "1985-B"}},
		"Saint Denis":     {{"at Saint-Denis", "Saint-\nDenis"}, {"Saint-Denis-Nord"}},
		"Paris":           {{"Paris.¹", "(Paris)", "Paris's", "Paris—Lyon"}, {"Paris-Nord", "Paris/Lyon", "Paris.net"}},
		"12":              {{"p.12", "no. 12"}, {"p.12.1", "12-14"}},
		"Müller":          {{"Herr Mueller"}, {"Herr Mueller-Lüdenscheidt", "Muller-Brand"}},
		"2 ½":             {{"about 2 ½."}, {"12 ½"}},

		"350人":     {{"最多350人。", "約350人", "三百五十人"}, {"最多1350人", "最多1,350人", "一千三百五十人", "3.350人"}},
		"50元":      {{"票價50元", "五十元"}, {"票價1.50元", "票價250元", "票價１５０元"}},
		"500円":     {{"入場料500円"}, {"入場料1,500円", "入場料1万500円"}},
		"2月":       {{"在2月"}, {"在12月"}},
		"七天":       {{"課程要七天"}, {"課程要十七天"}},
		"两百块":      {{"押金两百块"}, {"押金一千两百块"}},
		"二〇二一年":    {{"在二〇二一年"}, {"在一九二〇二一年"}},
		"版本2":      {{"版本2,"}, {"版本21", "版本2.1", "版本2-rc"}},
		"第12条":     {{"第12条は", "第十二条"}, {"第12条の2", "第12条の二"}},
		"第十二條":     {{"第十二條"}, {"第十二條之一"}},
		"500원":     {{"가격은 500원"}, {"가격은 1500원"}},
		"MTR站":     {{"去MTR站"}, {"去XMTR站"}},
		"「京」":      {{"A「京」B"}, nil},
		"٣٥٠ درهم": {{"رسوم ٣٥٠ درهم", "350 درهم"}, {"رسوم ١٣٥٠ درهم", "١٬٣٥٠ درهم"}},
		"50 บาท":   {{"๕๐ บาท"}, {"๒๕๐ บาท"}},
	} {
		for i, has := range []bool{true, false} {
			for _, s := range texts[i] {
				form := text.MatchForm(s)
				if got := text.NewPhrase(phrase).In(form); got != has {
					t.Errorf("%q in %q: %v", phrase, s, got)
				}
				compound := !strings.ContainsAny(phrase, "0123456789-/.@") && strings.ContainsAny(s, "-/.")
				if got := text.HasKeyword(s, phrase); got && !has && !compound {
					t.Errorf("keyword %q in %q", phrase, s)
				}
			}
		}
	}
	for s, has := range map[string]bool{"a Paris-based firm": true, "Paris/Lyon": true, "Parisian": false, "Paris_Nord": false, "Paris+": false} {
		if got := text.HasKeyword(s, "Paris"); got != has {
			t.Errorf("keyword in %q: %v", s, got)
		}
	}
	if !text.NewPhrase("40 dollars").In("not 140 dollars, but $40") {
		t.Error("another spelling beside a longer number")
	}
}
