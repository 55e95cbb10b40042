package words

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

func (TraditionalChinese) LostTitle() string { return "答案在哪裡流失" }

func (z TraditionalChinese) Lost(w *summary.Waterfall) string {
	switch {
	case w.Retrieval && w.Facts > 0:
		return z.facts(w)
	case w.Failed == 0 && w.Facts == 0:
		return z.noneWrong(w) + "，也沒有可追蹤的證據。"
	case w.Failed == 0:
		return z.noneWrong(w) + "；" + z.facts(w)
	}
	lost := w.Worst()
	var parts []string
	for i, v := range lost {
		part := fmt.Sprintf("%d 個%s", v.Cases, z.dueTo(v.Stage))
		if i == 0 && v.Located() {
			part += "（" + summary.Percent(v.Share)
			if v.ShareCI != nil {
				part += fmt.Sprintf("，%.4g %% 信賴區間 %s", 100*w.Level, summary.Percents(*v.ShareCI))
			}
			part += "）"
		}
		parts = append(parts, part)
	}
	text := fmt.Sprintf("%d 個錯誤答案中，%s", w.Failed, strings.Join(parts, "，"))
	if first := lost[0]; first.Located() {
		text += fmt.Sprintf("；先改善「%s」最多可修正 %d 個", z.Stage(first.Stage), first.Cases)
		if first.Again != nil {
			text += "，其中" + z.Again(first.Again)
		}
		if w.Open > 0 {
			text += fmt.Sprintf("；最多 %d 個，若計入結果或階段不明的 %d 個", first.Cases+w.Open, w.Open)
		}
	}
	return text + "。"
}

func (TraditionalChinese) noneWrong(w *summary.Waterfall) string {
	none := "沒有錯誤的答案"
	if w.Unknown > 0 {
		none = "沒有已知錯誤的答案"
	}
	if w.Unfollowed == 0 {
		return none
	}
	return fmt.Sprintf("追蹤的 %d 個案例中%s", w.Cases, none)
}

func (TraditionalChinese) Unknown(w *summary.Waterfall) string {
	if w.Unknown == 0 {
		return ""
	}
	return fmt.Sprintf("追蹤的 %d 個案例中，%d 個答案依標註無法判斷對錯；"+
		"使用評審或 --outcome 可判斷。", w.Cases, w.Unknown)
}

func (z TraditionalChinese) Followed(w *summary.Waterfall) string {
	if w.Failed == 0 || w.Facts == 0 {
		return ""
	}
	return z.facts(w)
}

func (z TraditionalChinese) facts(w *summary.Waterfall) string {
	s := fmt.Sprintf("%d 項事實中，%d 項%s（%s）", w.Facts, w.Answered, z.Reached(w.Retrieval), summary.Percent(w.Survival))
	for _, at := range w.Stages {
		if at.Lost > 0 {
			s += fmt.Sprintf("，%d 項%s", at.Lost, z.lostAt(at.Stage))
		}
	}
	return s + "。"
}

// dueTo returns what a wrong answer is put down to: "歸於檢索階段".
func (z TraditionalChinese) dueTo(stage string) string {
	switch stage {
	case assay.LostNotInIndex:
		return "歸於索引缺少證據"
	case assay.LostPresent:
		return "歸於顯示"
	case assay.LostUnresolved, "":
		return z.lostAt(stage)
	}
	return "歸於" + z.Stage(stage) + "階段"
}

func (z TraditionalChinese) Again(list []summary.Again) string {
	var parts []string
	for _, a := range list {
		parts = append(parts, fmt.Sprintf("%d 個仍敗於「%s」", a.Cases, z.Stage(a.Stage)))
	}
	return strings.Join(parts, "，")
}

// lostAt returns where something was lost: "在檢索階段流失".
func (z TraditionalChinese) lostAt(stage string) string {
	switch stage {
	case assay.LostNotInIndex:
		return "不在索引中"
	case assay.LostPresent:
		return "未顯示給使用者"
	case assay.LostUnresolved:
		return "原因未定"
	case "":
		return "階段不明"
	}
	return "在" + z.Stage(stage) + "階段流失"
}

func (z TraditionalChinese) LostNotes(w *summary.Waterfall) []string {
	var out []string
	for _, m := range w.Merged {
		s := fmt.Sprintf("無法區分「%s」與「%s」", z.Stage(m.Stage), z.Stage(m.Into))
		if m.Cases < w.Cases {
			s = fmt.Sprintf("%d 個案例中有 %d 個", w.Cases, m.Cases) + s
		}
		out = append(out, s+"，一律計入後者")
	}
	if n := w.SelfKnowledge; n > 0 {
		out = append(out, fmt.Sprintf("%d 項事實出現在答案中，提示裡卻沒有（模型自身知識）："+
			"計入提示失去該事實的階段", n))
	}
	for _, u := range w.Unclear {
		out = append(out, fmt.Sprintf("%d 個案例階段不明：%s", u.Cases, z.LostUnknown(u.Reason)))
	}
	if n := w.Unfollowed; n > 0 {
		out = append(out, fmt.Sprintf("%d 個案例無法追蹤：沒有回應，或沒有可追蹤的標註", n))
	}
	if g := w.Ladder; g != nil {
		if g.Broken > 0 {
			out = append(out, fmt.Sprintf("%d 個錯誤答案因發生錯誤而未完成重新詢問", g.Broken))
		}
		if g.NonMonotone > 0 {
			out = append(out,
				fmt.Sprintf("%d 個錯誤答案在替換較少階段時正確、替換較多階段時反而錯誤（非單調）："+
					"歸於最先修正它的階段", g.NonMonotone))
		}
	}
	return out
}

func (TraditionalChinese) LostHeads(evidenceOf string) LostHeads {
	return LostHeads{
		Stage: "階段", Evidence: evidenceOf + "的證據", Left: "保留", Lost: "流失", ShareOfAll: "佔全部比例", Share: "比例",
		OfWhatCame: "佔進入比例", WrongAnswers: "錯誤答案", FailAgain: "再次失敗",
		Which: "案例", RightWith: "改用正確輸出", Right: "正確",
		Gain: "增益",
	}
}
func (TraditionalChinese) FallNote() string {
	return "每列是一個階段：實心長條是繼續往下的證據，後面的虛線部分是在該階段流失的證據。"
}
func (TraditionalChinese) LadderNote(cases int) string {
	return fmt.Sprintf("%d 個錯誤答案重新詢問，從第一個階段起逐一換上正確的輸出；比例以這些案例為準。"+
		"最後仍然錯誤的，問題在標註或評審。", cases)
}
func (TraditionalChinese) Stage(stage string) string {
	switch stage {
	case assay.LostNotInIndex:
		return "不在索引中"
	case assay.StageTranscribe:
		return "語音轉文字"
	case assay.StageDecompose:
		return "問題分解"
	case assay.StageRetrieve:
		return "檢索"
	case assay.StageFilter:
		return "過濾"
	case assay.LostPack:
		return "組裝提示"
	case assay.StageGenerate:
		return "生成"
	case assay.LostPresent:
		return "顯示"
	case assay.LostUnresolved:
		return "原因未定"
	case "":
		return "階段不明"
	}
	return clipped(stage)
}
func (TraditionalChinese) FactsWord() string { return "事實" }
func (TraditionalChinese) Reached(retrieval bool) string {
	if retrieval {
		return "已找到"
	}
	return "已答出"
}
func (TraditionalChinese) AsItIs() string                { return "現況" }
func (TraditionalChinese) WithRight(stage string) string { return "＋正確的" + stage }
func (TraditionalChinese) StillWrong() string            { return "仍然錯誤" }
func (TraditionalChinese) BarLabels(name string, kept, lost, all int) (full, rest, label string) {
	full, rest = fmt.Sprintf("保留 %d 項事實", kept), fmt.Sprintf("流失 %d 項事實", lost)
	label = fmt.Sprintf("%s：%d 項中保留 %d 項", name, all, kept)
	if lost > 0 {
		label += fmt.Sprintf("，在此流失 %d 項", lost)
	}
	return full, rest, label
}
func (TraditionalChinese) LostCard(cases, of int) (name, note string) {
	return "流失最多的階段", fmt.Sprintf("%d 個錯誤答案中的 %d 個", of, cases)
}
func (TraditionalChinese) LostCompareNote() string {
	return "比例以兩次執行都追蹤到的案例的全部事實為準。比例從某階段移到後面的階段，" +
		"表示證據走得更遠；只有答案中的事實增加才算改善。"
}
func (z TraditionalChinese) LostOf(baseline, run string, cases int) string {
	return "答案在哪裡流失：" + baseline + " 與 " + run + "，" + z.Cases(cases)
}
func (TraditionalChinese) LostSame(runs []string, baseline, reached string, shares []string) string {
	return "答案在哪裡流失：沒有任何階段能顯示 " + strings.Join(runs, "、") + " 與 " + baseline + " 有差異（" +
		reached + "的事實：" +
		strings.Join(shares, "、") + "）"
}

// LostAt names the stage that a wrong answer is put down to.
func (z TraditionalChinese) LostAt(stage string) string {
	if stage == assay.LostUnresolved {
		return "無法歸因"
	}
	return "流失於" + z.Stage(stage)
}
