package words

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay/summary"
)

func (z TraditionalChinese) CasesAsked(a Asked) string {
	cases := z.Cases(a.Cases)
	switch {
	case a.Draws > 1 && a.Done < a.Of():
		cases = fmt.Sprintf("%s的 %d 次作答中的 %d 次", cases, a.Of(), a.Done)
	case a.Draws > 1:
		cases = fmt.Sprintf("%s × %d 次作答", cases, a.Draws)
	case a.Done < a.Of():
		cases = fmt.Sprintf("%s中的 %d 個", cases, a.Done)
	}
	if a.Critical > 0 {
		cases += fmt.Sprintf("（%d 個關鍵案例）", a.Critical)
	}
	return cases
}

func (z TraditionalChinese) CaseCount(a Asked) string {
	if a.Draws > 1 {
		a.Critical = 0
		return z.CasesAsked(a)
	}
	s := fmt.Sprintf("%d（%d 個關鍵案例）", a.Done, a.Critical)
	if left := a.Of() - a.Done; left > 0 {
		s += "，" + z.NotEvaluated(left)
	}
	return s
}

func (z TraditionalChinese) Answers(n int, draws bool) string {
	if draws {
		return fmt.Sprintf("%d 次作答", n)
	}
	return z.Cases(n)
}

func (TraditionalChinese) Outcome(s summary.Summary, short bool) string {
	text := fmt.Sprintf("%d 個正常", s.OK)
	a := s.Answers
	decided := a.Right+a.Wrong > s.Errors
	if decided {
		text = fmt.Sprintf("%d 個正確，%d 個錯誤", a.Right, a.Wrong)
		if s.Errors > 0 {
			text += fmt.Sprintf("（其中 %d 個沒有回應）", s.Errors)
		}
		if a.Unknown > 0 {
			text += fmt.Sprintf("，%d 個未知", a.Unknown)
		}
	}
	if s.Failed > 0 || !short {
		text += fmt.Sprintf("，%d 個未達門檻", s.Failed)
	}
	if s.Errors > 0 && !decided || s.Errors == 0 && !short {
		text += fmt.Sprintf("，%d 個執行失敗", s.Errors)
	}
	return text
}
func (TraditionalChinese) Errors(n int, of, kinds string) string {
	return fmt.Sprintf("%s中有 %d 個：%s", of, n, kinds)
}
func (TraditionalChinese) Below(n int, of string) string {
	return fmt.Sprintf("%s中有 %d 個未達門檻", of, n)
}

func (TraditionalChinese) Corpus(path string, documents, passages int) string {
	size := fmt.Sprintf("%d 份文件", documents)
	if passages > 0 {
		size += fmt.Sprintf("，%d 個段落", passages)
	}
	if path == "" {
		return size
	}
	return path + "（" + size + "）"
}
func (TraditionalChinese) CorpusOf(corpus string) string { return "語料庫 " + corpus }
func (TraditionalChinese) BaselineOf(run string) string  { return "基準 " + run }

func (TraditionalChinese) Latency(l Latency) string {
	s := fmt.Sprintf("平均 %s · p50 %s · p95 %s · p99 %s · n %d", l.Mean, l.P50, l.P95, l.P99, l.N)
	switch {
	case l.Slow == 0:
		return s
	case l.Limit == "":
		return s + fmt.Sprintf(" · 過慢 %d", l.Slow)
	}
	return s + fmt.Sprintf(" · 過慢（超過 %s）：%d", l.Limit, l.Slow)
}

func (TraditionalChinese) Usage(cost string, in, out int) string {
	tokens := ""
	if in+out > 0 {
		tokens = fmt.Sprintf("輸入 %d 個 token，輸出 %d 個", in, out)
	}
	return dotted(cost, tokens)
}

func (TraditionalChinese) EstimatedCost(b Bill) string {
	switch {
	case b.Estimated != "" && b.Calls > 0:
		return fmt.Sprintf("評審 %s，%d 次呼叫", b.Estimated, b.Calls)
	case b.Estimated != "":
		return "評審 " + b.Estimated
	case b.Calls > 0:
		return fmt.Sprintf("評審 %d 次呼叫，價格未知", b.Calls)
	}
	return ""
}

func (z TraditionalChinese) ActualCost(b Bill) string {
	parts := z.CostParts(b)
	if parts == "" {
		return ""
	}
	return b.Total + "（" + parts + "）"
}

func (TraditionalChinese) CostParts(b Bill) string {
	var of []string
	if b.Target != "" {
		of = append(of, "受測系統 "+b.Target)
	}
	switch {
	case b.Judging != "":
		of = append(of, "評審 "+b.Judging)
	case b.Paid:
		of = append(of, "評審 $0.00：所有回覆先前已付費")
	}
	return strings.Join(of, "，")
}

func (z TraditionalChinese) CostNote(b Bill) string {
	s := z.CostParts(b)
	if b.Estimated == "" && b.Calls == 0 {
		return s
	}
	if s != "" {
		s += "；"
	}
	return s + "預估：" + z.EstimatedCost(b)
}

func (z TraditionalChinese) Cost(b Bill, usage string) string {
	estimated, actual := z.EstimatedCost(b), z.ActualCost(b)
	if estimated != "" {
		estimated = "預估 " + estimated
	}
	if actual != "" {
		actual = "實際 " + actual
	}
	return dotted(estimated, actual, z.TargetUsage(usage))
}

func (TraditionalChinese) TargetUsage(usage string) string {
	if usage == "" {
		return ""
	}
	return "受測系統 " + usage
}

func (TraditionalChinese) OfflineJudge() string {
	return "離線：以公式估計，沒有模型評審"
}
func (TraditionalChinese) Panel(judges []string) string {
	return "評審團：" + strings.Join(judges, "、")
}

func (TraditionalChinese) Delegated(judge, question, by string) string {
	return judge + "，" + question + " 由 " + by + " 裁定"
}

func (TraditionalChinese) Judging(j Judging) string {
	passes, calls, failed, checked := "", "", "", ""
	if j.Passes > 1 {
		passes = fmt.Sprintf("最多評審 %d 次", j.Passes)
	}
	if j.Rechecked > 0 {
		checked = fmt.Sprintf("有把握的裁定複查 %d 個，推翻 %d 個", j.Rechecked, j.Overturned)
	}
	if j.PerCase != "" {
		calls = fmt.Sprintf("%d 次呼叫，每個案例 %s 次", j.Calls, j.PerCase)
	}
	var saved []string
	if j.Cached > 0 {
		saved = append(saved, fmt.Sprintf("%d 次先前已付費", j.Cached))
	}
	if j.Shared > 0 {
		saved = append(saved, fmt.Sprintf("%d 次與其他案例共用", j.Shared))
	}
	if saved != nil {
		calls += "（" + strings.Join(saved, "，") + "）"
	}
	if j.Failed > 0 {
		failed = fmt.Sprintf("%d 個問題沒有得到答覆", j.Failed)
	}
	return dotted(j.Judge, passes, calls, failed, checked, j.Usage, j.Paid)
}
