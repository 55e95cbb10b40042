package words

import (
	"fmt"
	"strings"
)

func (TraditionalChinese) CallNames() CallNames {
	return CallNames{
		Instruction: "指示", Reply: "回覆", Thinking: "推理", RequestJSON: "請求（JSON）", ReplyJSON: "回覆（JSON）",
		Absent: "帳本中已沒有這次呼叫。", Altered: "帳本中有這次呼叫，但與儲存時不同：校驗碼不符。",
		Later:     "這則回覆產生於執行結束之後：另一次執行重新提問。此案例是依較早的回覆評分的。",
		NoneAsked: "這個案例沒有詢問任何模型。", NoneNamed: "這筆紀錄沒有列出其呼叫：它由較早的版本寫入，或沒有使用帳本。",
	}
}

func (TraditionalChinese) CallsOfCase(n int) string {
	return fmt.Sprintf("對評審的呼叫（%d）", n)
}

func (TraditionalChinese) CallRole(role string) string {
	switch role {
	case "user":
		return "對模型的提問"
	case "assistant":
		return "模型先前的回覆"
	}
	return role
}

func (TraditionalChinese) CallTold(c CallTold) string {
	out := []string{fmt.Sprintf("輸入 %d 個 token，輸出 %d 個", c.Input, c.Output)}
	for _, s := range []string{c.Cost, c.Took, c.Made} {
		if s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, " · ")
}

func (TraditionalChinese) Unusable(why string) string { return "這則回覆無法使用：" + why }

func (TraditionalChinese) PaidBy(run string) string { return "由 " + run + " 付費" }
