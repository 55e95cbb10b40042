package stage

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
)

// The words of an answer beside what it states, as [text.Folded] gives them: without
// articles, and Chinese in single characters.
var (
	// plain words say nothing of their own.
	plain = text.Set("it its it's he she they him her them his their this that these those there here i we you is are am be been " +
		"has have does of in on at for as so my your our which who answer correct named called known according based document documents passage " +
		"passages context text source sources information provided given " +
		"是 在 於 于 由 為 为 的 了 個 个 名 位 它 他 她 其 這 这 那 該 该 則 则 即 乃 共 答 案 根 據 据 文 件 資 资 料 內 内 容 所 述")
	// bygone words are plain unless the question is about the present.
	bygone  = text.Set("was were had did")
	present = text.Set("is are am has have does do will shall would")
	denials = text.Set("not never no none nobody nothing neither nor cannot without instead rather hardly 不 沒 没 未 無 无 冇 唔 非 莫")
	// negations are denials in the words of a question alone, and qualifiers change what follows them, as agents do that
	// a passive names: an answer that repeats the one repeats the other.
	negations = text.Set("non nao nem nicht kein keine keinen keinem keiner keines nie niemals ohne ne pas jamais sans aucun aucune sin nunca jamas " +
		"ningun ninguna sem nenhum nenhuma senza niet geen nooit zonder inte ej aldrig utan ikke aldri uten bez не нет без")
	qualifiers = text.Set("former ex previous deputy vice acting interim excluding except outside off free lack lacks lacking false untrue")
	agents     = text.Set("by from par por")
	// directions are words before what has a part that another place would change.
	directions = text.Set("from to into than against between von vom nach zum zur aus gegen de del da do van naar fran till z из в 從 从 到 至 比")
	// interrogatives and auxiliaries at the beginning ask.
	interrogatives = text.Set("what how why whom whose")
	auxiliary      = text.Set("is are was were do does did")
	// parting words set what the question names apart.
	parting = text.Set("or either versus vs than before after 或 還 还 比")
	// several are more than one of what is counted.
	several = text.Set("pair couple dozen score gross lakh crore")
	// placing words before a name say what part it has.
	placing = text.Set("by in at on 由 在 於 于")
	// places are words that put something beside a name.
	places = text.Set("near nearby outside inside beyond beside behind above below under over opposite against past across around north south east west close next " +
		"bei nahe neben ausserhalb außerhalb innerhalb hinter pres hors derriere cerca fuera detras vicino fuori perto fora naast buiten")
	ties = text.Set("of to de da di do von van")
	// closing words at the end change what a name before them says.
	rates    = text.Set("per each every 每")
	measures = text.Set("名 位")
	closing  = text.Set("in on at of for by as i 文 件 料 內 内 容 名 位 案")
	// irregular are forms of verbs that have another stem, each before it.
	irregular = strings.Fields("took take taken take went go gone go came come won win made make sang sing sung sing wrote write written write " +
		"began begin begun begin built build sold sell met meet held hold led lead left leave gave give given give ran run paid pay lost lose beaten beat")
)

var (
	// named matches a capital that begins no sentence, and one that begins a name alone.
	named = lazyregexp.New(`[^.!?:\s]\s+\p{Lu}|^\W*\p{Lu}\pL+\W*$`)
	// option matches the letter of an option that is a word elsewhere: "A, C", "I & II".
	option = lazyregexp.New(`\b([AI])\b(?:[^\w\s'’-]|\W*$|\s+[^\pL\pN\s]|\s+\p{Lu}+\b)`)
	// limit matches words that make a statement uncertain, conditional, past or one of several.
	limit = lazyregexp.New(`\b(?:or|either|but|however|although|though|whereas|if|unless|except|excluding|only|maybe|perhaps|possibly|probably|` +
		`likely|might|could|should|would|seems?|appears?|unsure|uncertain|guess|think|believed?|reportedly|allegedly|supposedly|claim(?:s|ed)?|` +
		`rumou?red|wrongly|falsely|mistakenly|depend(?:s|ing)?|otherwise|assuming|formerly|previously|originally|former|until|till|now|` +
		`no longer|used to|not only|not always|not necessarily|usually|typically|generally|sometimes|often|besides|(?:apart|aside) from|in (?:place|lieu) of|opposite)\b` +
		// What the question says of another: "statt in Lyon" where it has "findet … statt".
		`|\b(?:statt \pL+|anstatt|anstelle|ausser|ohne|nicht|keine?[mnrs]?|lieu de|place d\pL*|pas|sauf|sans|(?:lugar|vez) d[aeo]|salvo|exce[pt]to|sin|` +
		`sem|al posto|luogo d\pL+|invece|tranne|senza|plaats van|behalve|zonder|niet|geen|istället|utom|utan|inte|stedet|ikke|zamiast|oprócz|bez|nie|` +
		`yerine|thay)\b` +
		`|stället|hariç|değil|trừ|không|вместо|кроме|(?:^| )(?:без|не|нет) |αντί|εκτός|δεν|代替|取代|而非|以外|之外|代わり|除|ない|ません|대신|제외|외에|말고|않|아니|بدل|عدا|غير|ليس|במקום|חוץ|` +
		`नहीं|बजाय|अलावा|बिना|แทน|ยกเว้น|ไม่` +
		`|或|還是|还是|可能|也許|也许|大概|應該|应该|似乎|好像|據說|据说|聽說|听说|如果|假如|除非|除了|取決|取决|視乎|视乎|曾|原本|原來|原来|直到|但|不過|不过|然而|不僅|不仅|不只|通常|一般|有時|有时|現在|现在|以前|之前`)
	// interrogative matches what asks in a question, and noDenial what denies nothing there.
	interrogative = lazyregexp.New(`^(?:when|where)\b|多(?:[少久]|([長长大高遠远重深]))|[幾几哪誰谁嗎吗呢]|[什甚][麼么]|いく[らつ]|どこ|いつ|だれ|どの|どれ|どちら|` +
		`얼마|어디|누구|언제|무엇|몇|(?:か|까|(?:인가|은가|는가|나)요?)[^\pL\pN]*$`)
	noDenial  = lazyregexp.New(`非[洲裔常]|未[來来]|[無无][線线錫锡論论]|不[丹同少斷断]|莫斯`)
	clauseEnd = lazyregexp.New(`[,;:.]\s|[，、；：。]`)
	sounds    = lazyregexp.New(`[\p{Hiragana}\p{Hangul}]`)
	// estimate matches the words of a question that asks for about a value.
	estimate = lazyregexp.New(`\b(?:about|around) (?:how|what|when|which)\b|\babout\W*$|\b(?:roughly|approximate(?:ly)?|circa|ungefahr|ungefähr|etwa|environ|` +
		`aproximad\pL+)\b|大約|大约|(?:^|[^紐纽])[約约](?:有|多少|[幾几]|[為为]|需)|左右|大概|大致`)
	// scale matches what a question may count in.
	scale = lazyregexp.New(`%|\b(?:hundred|thousand|(?:m|b|tr)illion|dozen|lakh|crore|per ?cent|percentage|share|fraction|proportion|` +
		`mio|mrd|tausend|tsd|teur|million(?:en|es)|milliard(?:en)?|prozent|anteil|pourcentage|porcentaje|mill(?:e|iers|ones)|mil(?:a|es|ioni|iardi|hões|hares)?|` +
		`k|m|bn|mn)s?\b|€[km]\b|[百千萬万億亿兆打천만억]|тыс|млн|млрд|миллион`)
	// comparison matches words that make a value a bound, a part or an estimate.
	comparison = lazyregexp.New(`\b(?:about|around|approximately|approx|roughly|circa|ca|almost|nearly|some|between|range|up to|least|most|more|less|` +
		`fewer|than|over|under|above|below|before|after|since|per|each|every|half|twice|double|another|additional|extra|later|earlier)\b` +
		// "page 12" is a name.
		`|(?:page|section|chapter|figure|table|article|step|line|room|item|number|no\.|version|paragraph|clause|appendix)s? \d|第\d+[頁页章節节條条]` +
		// "1, 776", "3. 97" and "07xxx" are no amounts.
		`|\d, \d{3}(?:\D|$)|\d\. \d|\b0\d+[a-z]` +
		`|約|约|左右|大致|接近|至少|最少|最多|超過|超过|不足|以上|以下|以內|以内|以後|以后|之後|之后|每|半|至|到|多於|多于|少於|少于`)
)

func denies(t text.Token) bool { return denials[t.Text] || strings.HasSuffix(t.Text, "n't") }

// sameWord reports whether two words are forms of one: "open", "opened".
func sameWord(a, b string) bool {
	if a == b {
		return a != ""
	}
	a, b = stem(a), stem(b)
	return a == b && len(a) > 2
}

// stem leaves out the ending of an English word.
func stem(w string) string {
	if i := slices.Index(irregular, w); i >= 0 {
		return strings.TrimSuffix(irregular[i|1], "e")
	}
	for _, end := range []string{"ing", "ed", "es", "s", "d", "e"} {
		if t := strings.TrimSuffix(w, end); t != w && len(t) > 2 {
			return strings.TrimSuffix(t, "e")
		}
	}
	return w
}
