package words

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

func (TraditionalChinese) CriticalCount(c Critical) string {
	text := fmt.Sprintf("%d 個中通過 %d 個", c.Of(), c.Passed)
	if c.Failed > 0 {
		text += fmt.Sprintf("，未通過 %d 個", c.Failed)
	}
	if c.Unchecked > 0 {
		text += fmt.Sprintf("，未查核 %d 個", c.Unchecked)
	}
	if c.Unasked > 0 {
		text += fmt.Sprintf("，未提問 %d 個", c.Unasked)
	}
	return text
}

func (TraditionalChinese) CriticalTitle(count string) string { return "關鍵案例：" + count }

func (z TraditionalChinese) CriticalCard(c Critical) string {
	if c.Passed == c.Of() {
		return "全部通過"
	}
	return strings.TrimPrefix(z.CriticalCount(c), fmt.Sprintf("%d 個中通過 %d 個，", c.Of(), c.Passed))
}

func (TraditionalChinese) Check(s summary.CheckState) string {
	switch s {
	case summary.CheckPassed:
		return "通過"
	case summary.CheckFailed:
		return "未通過"
	}
	return "未查核"
}

func (TraditionalChinese) CheckReason(c summary.Check) string {
	switch c.Basis {
	case summary.ByFailure:
		return "沒有回應"
	case summary.ByAnswer:
		switch c.State {
		case summary.CheckPassed:
			return "回答正確"
		case summary.CheckFailed:
			return "回答錯誤"
		}
		return "無法得知回答是否正確：需要評審或簡短的參考答案"
	case summary.ByEvidence:
		where := "檢索結果"
		if c.K > 0 {
			where = fmt.Sprintf("前 %d 個結果", c.K)
		}
		switch c.State {
		case summary.CheckPassed:
			return where + "含有預期的證據"
		case summary.CheckFailed:
			if c.Missed > 0 {
				return fmt.Sprintf("%s缺少 %d 份預期的文件", where, c.Missed)
			}
			return where + "不含任何預期的證據"
		}
		return where + "只含部分預期的證據"
	case summary.ByRule:
		if c.State == summary.CheckFailed {
			return "違反 " + strings.Join(c.Rules, "、")
		}
		return "符合 " + strings.Join(c.Rules, "、")
	}
	return "沒有可查核的內容：需要評審、參考答案或預期文件"
}

func (TraditionalChinese) OutcomeRule(by []string) string {
	how := make([]string, len(by))
	for i, rule := range by {
		if how[i] = "評審"; rule != "" {
			how[i] = " " + rule + " "
		}
	}
	return "案例的對錯先看回答：由" + strings.Join(how, "或") + "判定，否則依標註。回答無法判斷時看證據：完全沒檢索到預期證據為錯誤；不需要回答而證據齊全為正確。" +
		"沒有回應為錯誤。案例本身的檢查與關卡對單一案例的規則也列入。其餘為未知。"
}

func (z TraditionalChinese) Turned(baseline, run string, old, now assay.Correctness) string {
	return baseline + z.Correct(old) + "，" + run + z.Correct(now)
}
