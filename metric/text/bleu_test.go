package text

import "testing"

// What sacreBLEU 2.6.0 says, with effective_order, by its tokenizers zh and 13a.
func TestBLEUTokenizers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		answer, reference string
		zh, latin         float64
		han               bool // zh is the choice of the metric itself
	}{
		{"他來——她走", "他來——他走", 53.7284965911771, 0, true},
		{"第1–3章", "第1–4章", 42.72870063962342, 0, true},
		{"，今天好", "，明天好", 35.35533905932737, 0, true},
		{",abc 今天", ",abc 明天", 35.35533905932737, 55.03212081491043, true},
		{"ＡＢＣ今天", "ＡＢＤ今天", 30.213753973567677, 0, true},
		{"“今天”好", "“明天”好", 42.72870063962342, 0, true},
		{"①今天★好", "②今天★好", 66.87403049764218, 0, true},
		{"㋀ 好嗎", "㋁ 好嗎", 55.03212081491043, 49.99999999999999, true},
		{"﨎好嗎", "﨎好吗", 55.03212081491043, 0, true},
		{"鿀好嗎", "鿀好吗", 55.03212081491043, 0, true},
		{"｡好", "｡吗", 49.99999999999999, 0, true},
		{"𠮷野家好", "𠮷田家好", 35.35533905932737, 0, true},
		{"カツ丼を食べ", "カツ丼を飲む", 39.76353643835252, 0, true},
		// zh reads no entities and no marks of skipped text, and joins no lines.
		{"&amp;今天好", "&amp;明天好", 37.99178428257963, 49.99999999999999, true},
		{"<skipped>好", "好", 15.97357760615681, 100, true},
		{"今-\n天", "今天", 34.66806371753173, 100, true},
		{"今天\x1c好", "明天\x1c好", 55.03212081491043, 49.99999999999999, true},
		{"a – b c", "a – b d", 59.460355750136046, 59.460355750136046, false},
		{"a…b", "a…c", 55.03212081491043, 0, false},
		{"& a“b”", "&amp;a“b”", 47.39878501170795, 100, false},
		{"ＡＢＣ 12", "ＡＢＤ 12", 35.35533905932737, 49.99999999999999, false},
		{"2024年", "2024", 49.99999999999999, 0, false},
	} {
		want := map[string]float64{"bleu(zh)": tc.zh, "bleu(13a)": tc.latin, "bleu": tc.latin}
		if tc.han {
			want["bleu"] = tc.zh
		}
		in := answer(tc.answer, tc.reference)
		for name, w := range want {
			value(t, name+" of "+tc.answer, scored(t, name, in), w, 1e-9)
		}
		in.Case.Question = "幾時？"
		value(t, "bleu of "+tc.answer+" to a Chinese question", scored(t, "bleu", in), tc.zh, 1e-9)
	}
}
