package speech

import (
	"strings"
	"sync"
)

// variants are pairs of a character and the variant that is used in its place in
// the same words, such as 衞生 and 衛生. Both are found in traditional texts. Forms
// that only simplified texts have are not included, and neither are characters that
// differ in meaning, such as 着 and 著.
const variants = "裏裡綫線説說衞衛爲為僞偽峯峰羣群啓啟衆眾蹟跡鷄雞麽麼蔴麻恒恆録錄緑綠産產顔顏旣既牀床麪麵粧妝呌叫" +
	"户戶兑兌税稅脱脫鋭銳閲閱悦悅蜕蛻温溫藴蘊媪媼揾搵煴熅卧臥脣唇竈灶糉粽枱檯臺台癡痴祕秘覈核敍敘溼濕皁皂" +
	"葱蔥囱囪菸煙鈎鉤鼈鱉"

var variantTable = sync.OnceValue(func() *strings.Replacer {
	runes := []rune(variants)
	var pairs []string
	for i := 0; i+1 < len(runes); i += 2 {
		pairs = append(pairs, string(runes[i]), string(runes[i+1]))
	}
	return strings.NewReplacer(pairs...)
})

func foldVariants(s string) string { return variantTable().Replace(s) }
