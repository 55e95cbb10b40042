package speech

import (
	"testing"

	"github.com/assay-eval/assay"
)

func TestSpoken(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"[SPEAKER_00]: the cat\n[SPEAKER_01] slept":        "the cat\nslept",
		"Speaker A: the cat\nspeaker 2: slept":             "the cat\nslept",
		"Speaker 1  0:00  \nThe cat\n\nJane Roe (1:02:03)": "\nThe cat\n\n",
		"Jane Roe: the cat\nsat\n>> Jane Roe: slept":       "the cat\nsat\nslept",
		"王小明：你好\n王小明：再见":                                   "你好\n再见",
		"Note: the cat\nsat on the mat.\nAnd: slept":       "Note: the cat\nsat on the mat.\nAnd: slept",
		"Jane Roe: the cat sat":                            "Jane Roe: the cat sat",
		"the speaker a cat: it sat at 10:30 [laughter]":    "the speaker a cat: it sat at 10:30 [laughter]",
	} {
		if got := Spoken(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
	if s := scored(t, "wer", heard("the cat", "[SPEAKER_00]: The cat")); s.State != assay.Scored || s.Value != 0 {
		t.Errorf("WER %v of a transcript with a label", s)
	}
}
