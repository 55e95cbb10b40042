package words

import (
	"fmt"

	"github.com/assay-eval/assay"
)

func (z TraditionalChinese) Canary(c assay.Canary) string {
	switch {
	case c.Why != "":
		return "未詢問金絲雀題：" + c.Why
	case c.First:
		return fmt.Sprintf("金絲雀題：凍結 %d 個回答，供之後的執行比較", c.Items)
	case c.Differs:
		return z.canaryChanged(c)
	case c.P == nil:
		return fmt.Sprintf("金絲雀題：只有 %d 題有裁定，不足以判斷評審是否仍與 %s 相同", c.Items, frozen(c))
	}
	return fmt.Sprintf("金絲雀題：自 %s 起未見改變，%d 題中有 %d 題裁定不同（%s）", frozen(c), c.Items, c.Changed, chance(c))
}

func (TraditionalChinese) canaryChanged(c assay.Canary) string {
	return fmt.Sprintf("評審的裁定已改變：%d 題金絲雀題中有 %d 題的裁定與 %s 不同（評審本身的變動為 %d 題），用詞相同的比例為 %s，平常為 %s（僅因隨機：%s）",
		c.Items, c.Changed, frozen(c), c.Noise, sameWords(c.Likeness), sameWords(c.Usual), chance(c))
}

func (z TraditionalChinese) CanaryWarning(c assay.Canary) string {
	switch {
	case c.Why != "":
		return fmt.Sprintf("%s %s：未詢問金絲雀題：%s：無法得知評審是否改變", c.Provider, c.Model, c.Why)
	case c.Differs:
		return fmt.Sprintf("%s %s：%s：此評審的認證與校準可能不再適用，先前的執行可能等於由另一個評審裁定：assay judge certify 重新量測，"+
			"assay judge canary --freeze 接受現在的評審", c.Provider, c.Model, z.canaryChanged(c))
	}
	return ""
}

func (z TraditionalChinese) JudgeChanged(c assay.Canary) string {
	if c.Differs {
		return c.Provider + " " + c.Model + "：" + z.canaryChanged(c)
	}
	return fmt.Sprintf("%s %s：評審的裁定已改變：其回答與先前不再相似，已於 %s 重新凍結", c.Provider, c.Model, frozen(c))
}
