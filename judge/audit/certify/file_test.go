package certify_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge/audit/certify"
)

func certificate(question, model string, day int) assay.Certificate {
	share := 0.8
	return assay.Certificate{
		Question: question, Language: "en", Level: 0.95, Items: 10, Usable: 9, Clusters: 5,
		Judge:            assay.JudgeInfo{Provider: "p", Model: model, Prompts: map[string]string{question: "1"}},
		Date:             time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC),
		BalancedAccuracy: assay.Figure{Value: &share, CI: &[2]float64{0.7, 0.9}},
	}
}

// A new certificate takes the place of the old one of the same judge, question and language;
// what is written is read back.
func TestMergeAndReadBack(t *testing.T) {
	t.Parallel()
	old := []assay.Certificate{certificate("support", "b", 1), certificate("equivalence", "a", 1), certificate("support", "a", 1)}
	merged := certify.Merge(old, []assay.Certificate{certificate("support", "a", 2)})
	if d := cmp.Diff(old[2:], merged.Replaced); d != "" || merged.Kept != nil {
		t.Errorf("replaced (-want +got):\n%s\nand kept %v", d, merged.Kept)
	}
	got := merged.All
	want := []assay.Certificate{certificate("equivalence", "a", 1), certificate("support", "a", 2), certificate("support", "b", 1)}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("merged (-want +got):\n%s", d)
	}
	var b bytes.Buffer
	if err := certify.Write(&b, got); err != nil {
		t.Fatal(err)
	}
	back, err := certify.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, back); d != "" {
		t.Errorf("read back (-want +got):\n%s", d)
	}
}

// A certificate with usable rulings is not replaced by one without any.
func TestMergeKeepsUsable(t *testing.T) {
	t.Parallel()
	old, none := certificate("support", "a", 1), certificate("support", "a", 2)
	none.Usable = 0
	m := certify.Merge([]assay.Certificate{old}, []assay.Certificate{none})
	if d := cmp.Diff(certify.Merged{All: []assay.Certificate{old}, Kept: []assay.Certificate{old}}, m); d != "" {
		t.Errorf("one without rulings added (-want +got):\n%s", d)
	}
	m = certify.Merge([]assay.Certificate{none}, []assay.Certificate{old})
	if d := cmp.Diff(certify.Merged{All: []assay.Certificate{old}, Replaced: []assay.Certificate{none}}, m); d != "" {
		t.Errorf("one with rulings added (-want +got):\n%s", d)
	}
	old.Seconds = 3
	if got := certify.Timed([]assay.Certificate{old}, []assay.Certificate{certificate("support", "a", 2)}); got[0].Seconds != 3 {
		t.Errorf("%v s, want those of the old one", got[0].Seconds)
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                                  "the file is empty",
		`{}`:                                `it has no "schema"`,
		`{"schema":"assay.certificates/9"}`: "newer than this version",
		`{"schema":"assay.certificates/1","certificates":[{}]}`:                           "certificate 1: no question",
		`{"schema":"assay.certificates/1","certificates":[{"question":"q"}]}`:             "no language",
		`{"schema":"assay.certificates/1","certificates":[{"question":"q","items":"x"}]}`: "line 1",
		`{"schema":"assay.certificates/1","certificates":[{"question":"q","language":"en","judge":{"provider":"p"},"level":0.95,` +
			`"items":1,"usable":2}]}`: "2 of 1 items usable",
		`{"schema":"assay.certificates/1","certificates":[{"question":"q","language":"en","judge":{"provider":"p"},"level":0.95,` +
			`"auroc":{"value":2}}]}`: "a measure of 2",
	} {
		if _, err := certify.Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"schema":"assay.certificates/1","certificates":[{"question":"q","language":"en","judge":{"provider":"p"},"level":0.95}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		all, err := certify.Read(strings.NewReader(text))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := certify.Write(&b, all); err != nil {
			t.Fatal(err)
		}
		back, err := certify.Read(&b)
		if err != nil || len(back) != len(all) {
			t.Fatalf("%d certificates read back as %d: %v", len(all), len(back), err)
		}
	})
}
