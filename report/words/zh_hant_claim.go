package words

import (
	"fmt"
	"strings"
)

func (TraditionalChinese) ClaimNames() ClaimNames {
	return ClaimNames{
		Title: "回答中的主張", NotSaid: "不知道這項主張在回答中的位置。", NoWords: "不知道這項判定所依據的段落文字。",
		Estimated: "由公式判定，而非模型。",
	}
}

func (TraditionalChinese) RulingWord(ruling string) string {
	switch ruling {
	case "supported":
		return "有依據"
	case "contradicted":
		return "與段落矛盾"
	case "unsupported":
		return "沒有依據"
	}
	return "未判定"
}

func (z TraditionalChinese) ClaimLabel(n int, ruling string, passages []int) string {
	s := fmt.Sprintf("主張 %d：%s", n, ruling)
	for i, p := range passages {
		if i == 0 {
			s += "，依"
		} else {
			s += "、"
		}
		s += z.PassageRank(p)
	}
	return s
}

func (TraditionalChinese) PassageRank(n int) string { return fmt.Sprintf("段落 %d", n) }

func (z TraditionalChinese) ClaimCounts(by map[string]int) string {
	var out []string
	for _, r := range rulings {
		if n := by[r]; n > 0 {
			out = append(out, fmt.Sprintf("%d 項%s", n, z.RulingWord(r)))
		}
	}
	return strings.Join(out, "，")
}

func (TraditionalChinese) SomeClaims(metric string) string {
	return "以下是 " + metric + " 列出的主張。回答可能還有其他主張；有依據的主張未被記錄。"
}
