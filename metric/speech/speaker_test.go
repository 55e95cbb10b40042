package speech

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
)

func TestSpoken(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"[SPEAKER_00]: the cat\n[SPEAKER_01] slept":        "the cat\nslept",
		"Speaker A: the cat\nspeaker 2: slept":             "the cat\nslept",
		"Speaker 1  0:00  \nThe cat\n\nJane Roe (1:02:03)": "\nThe cat\n\n",
		"Speaker 1:    00:00:03\nThe cat":                  "\nThe cat",
		"Speaker 1 | 00:00:03\nThe cat":                    "\nThe cat",
		"Jane Roe: the cat\nsat\n>> Jane Roe: slept":       "the cat\nsat\nslept",
		"**Jane Roe:** the cat\n**Jane Roe**: slept":       "the cat\nslept",
		"[Jane Roe] 10:00:01\nThe cat":                     "\nThe cat",
		"王小明：你好\n王小明：再见":                                   "你好\n再见",
		"Q. the cat?\nA. sat\nQ. why\nA. A. Kim.":          "the cat?\nsat\nwhy\nA. Kim.",
		"A. Kim sat\nA. Roe slept":                         "A. Kim sat\nA. Roe slept",
		"Note: the cat\nsat on the mat.\nAnd: slept":       "Note: the cat\nsat on the mat.\nAnd: slept",
		"Jane Roe: the cat sat":                            "Jane Roe: the cat sat",
		"<|yue|><|NEUTRAL|><|Speech|><|woitn|>你好":          "    你好",
		"language English<asr_text>the cat":                " the cat",
		"language Haitian Creole<asr_text>":                " ",
		"a language of tags: <asr_text> begins":            "a language of tags:   begins",
		"<|0.00|> the cat<|0.80|><|0.80|> slept<|1.20|>":   "  the cat   slept ",
		"[00:00.000 --> 00:02.000]  the cat":               "   the cat",
		"[0.00s -> 2.00s] the cat":                         "  the cat",
		"the speaker a cat: it sat at 10:30 [laughter]":    "the speaker a cat: it sat at 10:30 [laughter]",
	} {
		if got, _ := Spoken(in, "note the cat sat on the mat"); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
	if _, removed := Spoken("<|en|>a<|0.80|>b<|0.80|>", "a b"); !slices.Equal(removed, []string{"<|0.80|>", "<|en|>"}) {
		t.Errorf("removed %q", removed)
	}
	for _, name := range []string{"Tom O'Brien (he/him)", "+49 151 23456789", "Tom's iPhone 12", "tom.obrien", "Name (Acme Ltd.)", "Dr. Priya Nair, PhD"} {
		labelled := name + ": the cat\nJane Roe: it said: no\n" + name + ": slept\nJane Roe: slept"
		for _, other := range []string{"the cat it said no", labelled} {
			if got, names := Spoken(labelled, other); got != "the cat\nit said: no\nslept\nslept" || len(names) != 2 {
				t.Errorf("%q without %q, against %q", got, names, other)
			}
		}
		// Once, it may be something else; what the other transcript has was spoken.
		if got := Names("one\n"+name+": the cat\nit said: no", "it said no"); !slices.Equal(got, []string{name}) {
			t.Errorf("names %q, want %q", got, name)
		}
	}
	if got, _ := Spoken("he said: go\nhe said: no", "he said go he said no"); got != "he said: go\nhe said: no" {
		t.Errorf("words became %q", got)
	}
	if s := scored(t, "wer", heard("the cat slept", "tom.obrien: The cat\ntom.obrien: slept")); s.Value != 0 || !strings.Contains(s.Reason, "tom.obrien") {
		t.Errorf("WER %v of a transcript with names", s)
	}
	if s := scored(t, "wer", heard("the cat", "[SPEAKER_00]: The cat")); s.State != assay.Scored || s.Value != 0 {
		t.Errorf("WER %v of a transcript with a label", s)
	}
}
