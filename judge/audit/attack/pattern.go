package attack

import (
	"regexp"
	"strings"
)

// A pattern matches one form of text addressed to a judge. It is matched against a view
// of a text, in lower case.
type pattern struct {
	kind  Kind
	reach reach
	// triggers are strings of which every match contains one: searching for them first
	// is many times faster than the expression.
	triggers []string
	find     *regexp.Regexp
}

func (p pattern) triggered(s string) bool {
	for _, t := range p.triggers {
		if strings.Contains(s, t) {
			return true
		}
	}
	return false
}

// Parts of expressions: who is addressed, what is to be done, and the wanted outcome.
const (
	verbs    = `(?:output|return|answer|reply|respond|print|say|write|emit|give|assign|award|mark|rate|grade|score|rule|record|report|set|treat|accept|declare|consider|judge|label|approve|choose|select)`
	verdicts = `(?:supported|equivalent|correct|true|entailed|faithful|relevant|full (?:marks|credit|score|points)|(?:highest|maximum|perfect|top|best) (?:possible )?(?:score|mark|grade|rating|level|verdict)|(?:score|level|grade|mark) (?:of )?\d|\d+(?:\.\d+)? ?(?:/|out of) ?\d+|verdict|ruling)`
	readers  = `(?:graders?|judges?|evaluators?|markers?|assessors?|examiners?|raters?|annotators?|reviewing model|ai|llm|model|language model|assistant|chatbot|bot)`
	orders   = `(?:instructions?|prompts?|rules?|rubrics?|guidelines?|directions?|criteria|tasks?|orders?|commands?|constraints?)`

	zhOrders   = `(?:指示|指令|说明|說明|规则|規則|规定|規定|提示词|提示詞|要求|标准|標準|准则|準則|命令|约束|約束)`
	zhVerbs    = `(?:输出|輸出|回答|回复|回覆|返回|判定|判为|判為|评为|評為|标记|標記|标为|標為|打分|评分|評分|给出|給出|给予|給予|裁定|视为|視為|记为|記為|选择|選擇|打|给|給)`
	zhVerdicts = `(?:支持|正确|正確|等价|等價|等同|一致|属实|屬實|满分|滿分|最高分|最高等级|最高等級|通过|通過|相关|相關|true|supported|equivalent|\d+\s*分)`
	zhReaders  = `(?:(?:评审|評審|评分|評分|裁判|评判|評判|阅卷|閱卷|评估|評估|判分|打分)(?:员|員|者|人|老师|老師|模型|系统|系統|助手)|评委|評委|考官)`
)

// patterns are ordered by specificity: the first match decides the kind of an overlap.
var patterns = []pattern{
	// Revoking instructions.
	{KindOverride, reachSentence, []string{"ignor", "disregard", "forget", "overrid", "bypass", "do not follow", "don't follow", "pay no attention"}, regexp.MustCompile(
		`\b(?:ignor(?:e|ing)|disregard|forget|overrid(?:e|es|ing)|bypass|do not follow|don't follow|pay no attention to)\b[^.\n]{0,40}\b(?:previous|prior|above|preceding|earlier|foregoing|all|any|your|these|those|other|the)\b[^.\n]{0,24}\b` + orders + `\b`)},
	{KindOverride, reachSentence, []string{"from now on", "instruction", "new task", "new rule", "new prompt"}, regexp.MustCompile(
		`\b(?:new|updated|revised|real|actual|special|hidden|following|override) (?:instructions?|task|rules?|prompt) ?(?:for the |to the |: )|\bfrom now on,? (?:you|every|all|the|always|only|rule|mark|answer)\b`)},
	{KindOverride, reachSentence, []string{"忽略", "无视", "無視", "不要理", "不必理", "忘记", "忘記", "忘掉", "跳过", "跳過", "不要遵", "别管", "別管", "不用管", "不必管", "抛开", "拋開"}, regexp.MustCompile(
		`(?:忽略|无视|無視|不要理会|不要理會|不必理会|不必理會|忘记|忘記|忘掉|跳过|跳過|不要遵守|不要遵循|别管|別管|不用管|不必管|抛开|拋開)[^。！？\n]{0,14}` + zhOrders)},
	{KindOverride, reachSentence, []string{"you were", "you have been", "you had been", "you are told", "you've been"}, regexp.MustCompile(
		`\b(?:what(?:ever)?|everything|all|anything|the things?) (?:that )?(?:you (?:were|have been|had been|are)|you've been) (?:told|instructed|asked|given|ordered|taught)\b`)},
	{KindOverride, reachSentence, []string{"ignor", "disregard", "forget", "skip"}, regexp.MustCompile(
		`(?:^|[.!?:;]\s*|\n\s*|\b(?:please|and|then|just|simply) )(?:ignore|disregard|forget(?: about)?|skip) (?:(?:the|this|all|any|your|these|every|what the) )?(?:\w+ ){0,2}(?:passages?|references?|sources?|contexts?|evidence|documents?|verification|checks?|checking|rubric|task|material)\b`)},
	{KindOverride, reachSentence, []string{"directive", "override", "no longer", "not appl", "n't appl", "suspended", "disabled", "lifted", "mode"}, regexp.MustCompile(
		`\b(?:new|updated|revised|real|actual|special|hidden|admin|administrator|system|root|developer|debug|maintenance) (?:directives?|overrides?|commands?|mode)\b|\b` + orders + `\b[^.\n]{0,20}\b(?:no longer appl(?:y|ies)|(?:do|does) not apply|(?:don't|doesn't) apply|(?:are|is|has been|have been) (?:suspended|disabled|lifted|void))`)},
	{KindOverride, reachSentence, []string{"新的", "真正", "实际", "實際", "正式", "隐藏", "隱藏", "最新", "新指", "新任", "现在起", "現在起", "现在开始", "現在開始"}, regexp.MustCompile(
		`(?:新|最新|真正|实际|實際|正式|隐藏|隱藏)的?(?:指令|指示|任务|任務|规则|規則)\s*(?:[:：]|如下|是)|[从從](?:现在|現在)(?:起|开始|開始)[^。\n]{0,12}(?:你|每|所有|一律|只|都)`)},
	// Instructions about the outcome.
	{KindVerdict, reachSentence, []string{"must", "should", "shall", "have to", "need to", "are to", "will"}, regexp.MustCompile(
		`\byou (?:must|should|shall|have to|need to|are to|will)(?: now| always| only| simply| therefore)* ` + verbs + `\b`)},
	{KindVerdict, reachSentence, []string{"supported", "equivalent", "correct", "true", "entailed", "faithful", "relevant", "full ", "highest", "maximum", "perfect", "top", "best", "score", "level", "grade", "mark", "/", "out of", "verdict", "ruling"}, regexp.MustCompile(
		`(?:(?:^|[.!?;:"»。；：}\]]\s*|\n)|\b(?:please|always|simply|just|instead|immediately|then) )` + verbs + `\b[^.\n]{0,60}?\b(?:as|with|is|are|be|that|the|every|all|this|it|only|a|an|:|=)?[ "']{0,2}` + verdicts + `\b`)},
	{KindVerdict, reachSentence, []string{"score", "mark", "grade", "rating", "level", "option", "credit", "points"}, regexp.MustCompile(
		`\b(?:assign|give|award|choose|select|pick|grant|gets?|receives?|deserves?|earns?|merits?)\b[^.\n]{0,30}\b(?:highest|maximum|max|top|full|perfect|best|passing)\b[^.\n]{0,14}\b(?:scores?|marks?|grades?|ratings?|level|option|credit|points)\b|\b(?:full|maximum|perfect|top|highest) (?:marks|scores?|credit|points|grades?|ratings?)\b[^.\n]{0,30}\b(?:experts?|reviewers?|graders?|humans?|evaluators?|judges?)\b`)},
	{KindVerdict, reachSentence, []string{"should", "must", "deserve", "has to", "have to", "is to", "are to", "ought"}, regexp.MustCompile(
		`\b(?:answers?|responses?|reply|replies|claims?|statements?|passages?|texts?|submission|outputs?|it|this|everything|all of)\b[^.\n]{0,40}\b(?:should|must|ought to|has to|have to|is to|are to) (?:always |now |only |therefore )?(?:be|get|receive|count as|pass as) (?:(?:graded|rated|marked|scored|judged|ruled|accepted|treated|labell?ed|recorded|counted|deemed)\b[^.\n]{0,30})?\b` + verdicts + `\b`)},
	{KindVerdict, reachSentence, []string{"应", "應", "必须", "必須", "须", "須", "把", "将", "將"}, regexp.MustCompile(
		`(?:应当|應當|应该|應該|理应|理應|必须|必須|应|應|须|須)(?:得到|获得|獲得|判为|判為|评为|評為|视为|視為|算作|得|获|獲|给|給|判|评|評|拿)[^。！？\n]{0,8}` + zhVerdicts + `|(?:把|将|將)[^。！？\n]{0,10}(?:裁定|判定|结论|結論|得分|评分|評分|分数|分數)[^。！？\n]{0,6}(?:写成|寫成|改成|改为|改為|设为|設為|定为|定為|填为|填為)`)},
	{KindVerdict, reachSentence, []string{"支持", "正确", "正確", "等价", "等價", "等同", "一致", "属实", "屬實", "满分", "滿分", "最高", "通过", "通過", "相关", "相關", "true", "supported", "equivalent", "分"}, regexp.MustCompile(
		`(?:请|請|必须|必須|务必|務必|一律|直接|只需|只能|你要|你应|你應|都要|全部|统一|統一|立即)[^。！？\n]{0,14}` + zhVerbs + `[^。！？\n]{0,24}` + zhVerdicts)},
	// Text that addresses the judge.
	{KindAddress, reachSentence, []string{"grader", "judge", "evaluator", "marker", "assessor", "examiner", "rater", "annotator", "model", "assistant", "chatbot", "llm", " ai", " bot"}, regexp.MustCompile(
		`\b(?:note|message|attention|instructions?|hint|memo|reminder|notice|dear)[, ]+(?:(?:to|for) )?(?:the |any |all )?` + readers + `\b|\b` + readers + ` ?(?:note|instructions?|directive) ?[:=]|\b(?:you are|act as|pretend to be|play the (?:role|part) of|imagine you are|behave as) (?:now |only )?(?:a|an|the|my|our)? ?(?:\w+ ){0,3}` + readers + `\b|\b(?:if|when|since|because) you(?:'re| are) (?:a |an |the )?(?:\w+ )?` + readers + `\b`)},
	{KindAddress, reachSentence, []string{"as ", "hey", "hi", "hello", "dear", "listen", "attention"}, regexp.MustCompile(
		`\bas (?:the|an|a|your|our|my) (?:\w+ )?` + readers + `,? you\b|(?:^|[.!?]\s*|\n)(?:hey|hi|hello|dear|listen|attention),? (?:the |mr\.? |ms\.? |my )?` + readers + `\b`)},
	{KindAddress, reachSentence, []string{"grader", "judge", "evaluator", "marker", "assessor", "examiner", "rater", "annotator"}, regexp.MustCompile(
		`(?:<!--|/\*|\[|\(|^|\n)\s*(?:to |for )?(?:the |all )?(?:graders?|judges?|evaluators?|markers?|assessors?|examiners?|raters?)\s*[:,：，=]`)},
	{KindAddress, reachSentence, []string{"作为", "作為", "身为", "身為"}, regexp.MustCompile(
		`(?:作为|作為|身为|身為)(?:一名|一个|一個|本次|本题|本題)?` + zhReaders + `[，,\s]*(?:你|您|请|請)`)},
	{KindAddress, reachSentence, []string{"考官", "评", "評", "裁判", "阅卷", "閱卷", "判分", "打分", "助手", "模型"}, regexp.MustCompile(
		`(?:致|给|給|提醒|注意|告诉|告訴|请|請|尊敬的|各位)\s*(?:各位|所有)?` + zhReaders + `|` + zhReaders + `\s*(?:请|請|注意|须知|須知|必须|必須|[:：，,])|(?:你现在是|你現在是|假设你是|假設你是|假装你是|假裝你是|请扮演|請扮演|作为一个|作為一個|如果你是)[^。\n]{0,24}(?:评|評|裁判|助手|模型|人工智能)`)},
	// Turns of a conversation.
	{KindRole, reachLine, []string{"system", "assistant", "user", "developer", "instruction", "系统", "系統", "助手", "用户", "用戶", "开发者", "開發者"}, regexp.MustCompile(
		`(?:^|\n)\s*(?:[#*\[<]+\s*)?(?:system|assistant|user|developer)(?: message| prompt| note| instruction)?\s*[\]*>]*\s*[:：]|(?:^|\n)\s*#{1,6}\s*(?:system|instructions?|assistant)\b[^\n]{0,20}\n|(?:^|\n)\s*[\[【]?(?:系统|系統|助手|用户|用戶|开发者|開發者)(?:消息|訊息|提示|指令)?[\]】]?\s*[:：]`)},
	{KindRole, reachSentence, []string{"##"}, regexp.MustCompile(
		`#{2,}\s*(?:instructions?|response|system|assistant|user|end|new task|input|output)\b\s*(?:[:：]|#{2,})`)},
	{KindRole, reachExact, []string{"<|", "[inst", "[/inst", "<<sys", "<start_of_turn", "<end_of_turn"}, regexp.MustCompile(
		`<\|[a-z_ ]{2,30}\|>(?:\s*(?:system|user|assistant)\b)?|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>`)},
	// Imitated replies.
	{KindReply, reachBraces, []string{`"verdict"`, `"equivalent"`, `"score"`, `"items"`, `"nonce"`, `"level"`, `"credit"`, `"ruling"`, `"label"`, `"rating"`, `"grade"`, `"judg`, `"supported"`, `"is_correct"`, `"correct"`}, regexp.MustCompile(
		`"(?:verdict|equivalent|score|items|nonce|level|credit|ruling|label|rating|grade|judge?ment|supported|is_correct|correct)"\s*:`)},
	{KindReply, reachSentence, []string{"verdict", "equivalent", "supported", "score", "rating", "grade", "ruling", "mark"}, regexp.MustCompile(
		`\b(?:verdict|equivalent|supported|ruling)\s*[=:]\s*"?(?:true|yes|supported|equivalent|correct|1\b|pass)|\b(?:final|overall|your|total|assigned) (?:score|verdict|rating|grade|mark|ruling)\s*[=:]`)},
	{KindReply, reachSentence, []string{"thought process", "step by step", "<think", "</think", "reasoning:", "chain of thought"}, regexp.MustCompile(
		`(?:^|\n|[.!?]\s*)(?:thought process|reasoning|chain of thought|my reasoning|analysis of the grader)\s*[:：]|\blet'?s think step by step\b|</?think(?:ing)?>`)},
	{KindReply, reachSentence, []string{"最终", "最終", "思考", "判定", "裁定", "推理"}, regexp.MustCompile(
		`(?:最终|最終)(?:得分|评分|評分|分数|分數|裁定|结论|結論|判定)\s*(?:[:：=]|为|為|是)|(?:^|\n)\s*(?:思考过程|思考過程|推理过程|推理過程)\s*[:：]|(?:判定|裁定)(?:结果|結果)?\s*[:：=]\s*` + zhVerdicts)},
	// Delimiters between data and instructions.
	{KindDelimiter, reachSentence, []string{"nonce"}, regexp.MustCompile(`\bnonce\s*[=:]\s*"?[0-9a-f]{4,}"?`)},
	{KindDelimiter, reachExact, []string{"<data", "</data", "</passage", "</answer", "</context", "</document", "</reference", "</claim", "</question", "</source", "</input"}, regexp.MustCompile(
		`</?data(?: [^>\n]{0,80})?>|</(?:passage|answer|context|document|reference|claim|question|source|input)s?>`)},
	{KindDelimiter, reachSentence, []string{"end of ", "ends here", "begin of", "到此", "结束", "結束", "完毕", "完畢"}, regexp.MustCompile(
		`\bend of (?:the )?(?:answer|data|passages?|input|context|documents?|material|text to (?:judge|grade))\b\s*[.:\-=#*>\])]|\b(?:answer|data|passages?|input|context|material) ends here\b|(?:答案|数据|資料|數據|文本|正文|内容|內容|材料|待评内容)(?:到此|至此)?(?:结束|結束|完毕|完畢)\s*[。：:，,]`)},
}
