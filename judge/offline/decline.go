package offline

import (
	"regexp"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// declining are the ways to say that there is no answer, as regular expressions
// over folded text, by language. A sentence that has one declines. They want a
// word for the answer's source, its author or the answer itself beside the
// negation, for "the fee is not mentioned" may be what a passage says.
var declining = []string{
	// English: "I do not know", "I have no information"
	`\bi (?:do not|don't|cannot|can't|am unable|am not able|could not|couldn't|am not sure|have no|am sorry|apologi[sz]e)\b(?:.{0,80}\b(?:know|answer|information|tell|find|determine|say|provide|sure|details?|access|help|assist|idea|confirm|context|specific)\b|$)`,
	`\bi'm (?:sorry|unable|not able|not sure|afraid)\b.{0,80}\b(?:know|answer|information|tell|find|determine|say|provide|details?|access|help|assist|confirm|specific|context)\b`,
	`\b(?:we|the assistant|this assistant) (?:do not|don't|cannot|can't|could not|couldn't) (?:know|answer|find|determine|tell|say)\b`,
	`^(?:sorry[,.! ]*)?(?:unknown|not known|no answer|no idea|unanswerable|n/a|none|no information|i do not know|i don't know|cannot answer|can't answer|unable to answer|insufficient information)\W*$`,
	// English: what the sources lack
	`\b(?:documents?|passages?|contexts?|texts?|sources?|articles?|(?:the|this|provided|given|available) (?:information|materials?|data)|excerpts?|snippets?|knowledge base|search results?)\b.{0,60}\b(?:do not|does not|don't|doesn't|did not|didn't|cannot|can't|fails? to|lacks?|is not|are not|isn't|aren't|no)\b.{0,30}\b(?:answer|contain|mention|include|including|provid|specif|say|state|tell|give|discuss|describe|address|cover|have|enough|sufficient|available|information|offer|explain|indicate|clarif|detail|refer)`,
	`\bno (?:specific |relevant |further |such |direct |explicit |additional )?(?:information|mention|answer|details?|data|evidence|reference)\b.{0,50}\b(?:in|within|from|about|on|regarding|available|provided|given|found|was|is|to)\b`,
	`\bthere (?:is|was|are) (?:not enough|no|insufficient|not sufficient|not any)\b.{0,40}\b(?:information|answer|mention|context|details?|evidence|data)\b`,
	`\b(?:is|are|was|were|it's) (?:not|never) (?:explicitly |specifically |directly |clearly )?(?:mentioned|provided|specified|stated|given|discussed|included|addressed|available|described|answered|known|clear)\b.{0,40}\b(?:documents?|passages?|contexts?|texts?|sources?|articles?|excerpts?|information provided|provided information)\b`,
	`\b(?:cannot|can not|can't|could not|couldn't|unable to|not possible to|impossible to) (?:be )?(?:answer(?:ed)?|determine[d]?|find|found|provide[d]?|infer(?:red)?|tell|say)\b.{0,80}\b(?:question|documents?|passages?|contexts?|texts?|sources?|information|provided|given|based)\b`,
	`\b(?:based on|from|given|according to) (?:the|this|these)\b.{0,40}\b(?:documents?|passages?|contexts?|texts?|sources?|information)\b.{0,60}\b(?:cannot|can't|unable|not possible|unclear|impossible|no way)\b`,
	// Chinese, simplified, traditional and Cantonese
	`(?:我|本助手|本人|我們|我们|[很非]常?抱歉|對不起|对不起|唔好意思)[^。!?]{0,20}(?:不知道|不清楚|不確定|不确定|無法|无法|不能|唔知|唔清楚|答唔到|搵唔到|冇辦法|沒有.{0,6}(?:資料|信息|資訊)|没有.{0,6}(?:资料|信息))`,
	`^(?:我)?(?:不知道|唔知道?|不清楚|唔清楚|不詳|不详|未知|無法回答|无法回答|不能回答|答唔到|沒有答案|没有答案|冇答案|無答案|无答案)[。.!]*$`,
	`(?:文件|文檔|文档|文章|文中|段落|資料|资料|上下文|內容|内容|來源|来源|材料|信息|資訊|原文|提供的|背景)[^。!?]{0,24}(?:沒有|没有|未(?:有|能|曾|提|說|说|包|給|给|列)|並未|并未|並無|并无|無法|无法|不足|不包含|不包括|冇|無提|无提|唔包|唔夠)`,
	`(?:無法|无法|不能|未能|難以|难以|冇辦法|唔可以)(?:從|从|根據|根据|由|確定|确定|回答|得知|判斷|判断|找到|提供)[^。!?]{0,30}(?:文件|文檔|文档|文章|段落|資料|资料|上下文|內容|内容|信息|資訊|問題|问题|答案)`,
	`(?:沒有|没有|找不到|搵唔到|冇|未找到|查無|查无)(?:任何)?(?:相關|相关|有關|有关|足夠|足够)?(?:的|嘅)?(?:資料|资料|信息|資訊|答案|內容|内容)`,
	// Japanese and Korean
	`(?:わかりません|分かりません|わからない|答えがありません|回答できません|お答えできません|答えられません|情報(?:は|が)(?:ありません|含まれていません|見つかりません)|記載(?:は|が)(?:ありません|されていません)|見つかりませんでした|不明です)`,
	`(?:모르겠|알 수 없|답이 없|답변할 수 없|답할 수 없|대답할 수 없|정보가 없|찾을 수 없|나와 있지 않|언급되지 않|포함되어 있지 않|언급하지 않)`,
	// German, French, Spanish, Italian, Portuguese
	`\b(?:ich weiß (?:es |das |die antwort )?nicht|ich weiss (?:es |das )?nicht|kann (?:ich |die frage )?.{0,30}nicht beantworte|keine (?:informationen?|angaben?|antwort)|nicht (?:in den|im|aus dem|aus den) (?:dokument|text|kontext|passage|quelle)|(?:dokumente?|texte?|kontext|passagen?|quellen?) .{0,40}(?:nicht|keine)\b)`,
	`(?:\bje ne sais pas|\bje ne (?:peux|suis) pas .{0,40}(?:répondre|mesure|trouver)|\baucune (?:information|réponse|mention)|\b(?:documents?|textes?|contexte|passages?|sources?) (?:ne|n').{0,40}\bpas\b|impossible de répondre)`,
	`(?:\bno (?:lo )?sé(?:\P{L}|$)|\bno puedo (?:responder|contestar|encontrar)|\bno (?:hay|tengo|se encontró|contiene|contienen|menciona|mencionan|proporciona|proporcionan) .{0,20}(?:información|respuesta|datos|detalles)|\b(?:documentos?|textos?|contexto|pasajes?|fuentes?) no \w+)`,
	`(?:\bnon (?:lo )?so\b|\bnon posso rispondere|\bnon ci sono informazioni|\b(?:documenti|documento|testo|contesto|passaggi|fonti) non \w+|\bnão sei\b|\bnão (?:posso|consigo) responder|\bnão há informaç|\b(?:documentos?|textos?|contexto|trechos?|fontes?) não \w+)`,
}

// metaphrases are beginnings that say where a claim is from and nothing else.
var metaphrases = `(?i)^(?:(?:according to|based on|as (?:stated|mentioned|described|noted) in|per) (?:the |these |this )?(?:(?:provided|given|above|retrieved|available|search) )?(?:documents?|passages?|contexts?|texts?|sources?|articles?|information|excerpts?|results?)(?: (?:provided|given|above|\d+))?, |the (?:documents?|passages?|contexts?|texts?|sources?|articles?) (?:states?|says?|mentions?|notes?|explains?|indicates?) that |(?:根據|根据|按照|依據|依据)(?:所)?(?:提供的|以上|上述|給出的|给出的)?(?:文件|文檔|文档|段落|資料|资料|上下文|內容|内容|信息|資訊)[，,]\s*)`

// courtesies are sentences that claim nothing.
const courtesies = `^(?:(?:you(?:'re| are) (?:very |most )?welcome|thank(?:s| you)|hello|hi|hey|great question|good question|glad (?:to|i)|happy to help|i hope|hope (?:this|that) helps|let me know|feel free|please (?:let me know|feel free)|if you have (?:any|other|more|further)\b.{0,30}\b(?:questions?|concerns?)|is there anything|i(?:'m| am) (?:glad|happy|here to|an? (?:ai|assistant|language))|as an ai|i(?:'ll| will| would| can) be (?:happy|glad)|would you like|no problem|my pleasure|good (?:morning|afternoon|evening|luck))\b|(?:sure|certainly|of course|absolutely|yes please)\W*$|你好|您好|謝謝|谢谢|多謝|不客氣|不客气|唔使客氣|希望(?:對|对|這|这|以上|能)|如果(?:您|你)?(?:還|还)有|如有(?:其他|任何|疑問|疑问)|請隨時|请随时|(?:當然|当然|好的)\W*$)`

// refusals tells the sentences that decline, kind words those that say nothing.
var (
	refusals = regexp.MustCompile(`(?:` + strings.Join(declining, `)|(?:`) + `)`)
	civility = regexp.MustCompile(courtesies)
	leadIn   = regexp.MustCompile(metaphrases)
	// turn finds where a sentence that declines goes on to answer.
	turn = regexp.MustCompile(`(?i)(?:,|;| –| —)\s*(?:but|however|though|although|yet|nevertheless)[, ]+(?:\s*it is known that )?|(?:，|；)\s*(?:但是|但|不過|不过|然而|可是)`)
	// marks are references to sources, such as [1] and [2, 3].
	marks = regexp.MustCompile(`\s*\[\d{1,3}(?:\s*[,-]\s*\d{1,3})*\]`)
)

// longestDecline bounds, in bytes, the sentences that are looked at for a
// refusal or a courtesy: one that is longer tells something.
const longestDecline = 600

// declines reports whether a sentence says that there is no answer.
func declines(sentence string) bool {
	if len(sentence) > longestDecline {
		return false
	}
	return refusals.MatchString(plain(sentence))
}

// plain is the form that phrases are looked for in.
func plain(s string) string { return strings.ReplaceAll(text.Normalize(s), "’", "'") }
