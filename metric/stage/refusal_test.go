package stage_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric/stage"
)

func refusalOf(question, reference, answer string) assay.Correctness {
	want, no := assay.Want{Answers: []string{reference}}, false
	if reference == "" {
		want = assay.Want{Answerable: &no}
	}
	return (stage.Outcome{}).Correct(&assay.Case{Question: question, Want: want}, &assay.Response{Answer: answer}, nil, nil)
}

// A refusal alone is right where there is no answer, and wrong where there is one.
func TestCorrectRefuses(t *testing.T) {
	t.Parallel()
	for question, answers := range map[string][]string{
		"What does the night ferry cost?": {
			"I don't know.", "I'm sorry, but I cannot answer that.", "The documents do not say what the night ferry costs.",
			"Based on the provided context, I cannot determine the price.", "The passages do not contain any information about the price of the ferry.",
			"There is no information about the cost of the night ferry.", "N/A", "", "I don't know, and the documents do not say.",
			"The documents do not say what the night ferry costs, or what it does.", "I'm sorry, I don't know, as the documents do not mention the cost.",
		},
		"夜間渡輪票價多少？":                         {"我不知道。", "這個我不知道。", "資料中沒有提到夜間渡輪的票價。", "抱歉，根據提供的資料，無法回答這個問題。", "文件中没有相关信息。"},
		"夜行フェリーはいくらですか。":                    {"わかりません。", "それは知りません。", "申し訳ありませんが、情報が見つかりません。"},
		"야간 페리는 얼마입니까?":                     {"모르겠습니다.", "모릅니다.", "문서에 정보가 없습니다."},
		"Was kostet die Nachtfähre?":        {"Ich weiß es nicht.", "Das weiß ich nicht.", "Das weiss ich leider nicht.", "Das kann ich Ihnen leider nicht sagen.", "Die Dokumente enthalten keine Angaben dazu.", "Leider habe ich dazu keine Informationen."},
		"Combien coûte le ferry de nuit ?":  {"Je ne sais pas.", "Je ne le sais pas.", "Je l'ignore.", "Je n'en sais rien.", "Les documents ne mentionnent pas le prix.", "Il n'y a aucune information sur ce point."},
		"¿Cuánto cuesta el ferry de noche?": {"No lo sé.", "Eso no lo sé.", "Lo desconozco.", "Los documentos no mencionan el precio.", "No hay información sobre eso."},
		"Quanto costa il traghetto?":        {"Non lo so.", "Questo non lo so.", "Non saprei.", "I documenti non menzionano il prezzo."},
		"Quanto custa o ferry?":             {"Não sei.", "Isso eu não sei.", "Não o sei.", "Os documentos não mencionam o preço."},
	} {
		for _, a := range answers {
			if of := refusalOf(question, "", a); of != assay.AnswerRight {
				t.Errorf("%q without an answer: %q is %s, want right", question, a, of)
			}
			if of := refusalOf(question, "zwölf", a); of != assay.AnswerWrong {
				t.Errorf("%q with an answer: %q is %s, want wrong", question, a, of)
			}
		}
	}
}

// What states something beside a refusal is not surely a refusal, in any language.
func TestCorrectStatesBesideRefusal(t *testing.T) {
	t.Parallel()
	for question, answers := range map[string][]string{
		"What does the night ferry cost?": {
			"I don't know, but it costs 12 euros.", "I don't know, it costs 12 euros.", "I'm not sure, the fare is twelve euros.",
			"I don't know the price but know that ferries are run by Brunner and sons.",
		},
		"Who is the captain?": {"I don't know, but it is Ann Reed.", "I don't know – Ann Reed."},
		// In words of the question, or none.
		"Does the plan cover dental?": {
			"The documents do not say; the plan does cover dental.", "I don't know, it does.", "I don't know; the plan does not cover dental.",
			"[]", "{}", "...", "?", "-", "😀", `""`, "[1]",
		},
		"Is the fee 10 or 20 euros?": {"I don't know: 20 euros", "I don't know - 20 euros", "I don't know (20 euros)", "I don't know\n20 euros"},
		"Is the mate Tom or Ann?":    {"I don't know, Tom", "I don't know\nTom", "The documents do not say, Tom is.", "The documents do not say so the mate is Tom."},
		"¿Está abierta la tienda?":   {"No lo sé; la tienda está abierta."},
		"Le magasin est-il ouvert ?": {"Je ne sais pas ; le magasin est ouvert.", "Je ne sais pas et le magasin est ouvert."},
		"可以退款嗎？":                     {"文件未提及，可以退款。", "資料沒有說明，可以。"},
		"日曜日は営業していますか？":              {"資料に記載がありません、日曜日は営業しています。"},
		"¿Cuánto cuesta el ferry de noche?": {
			"No lo sé, pero cuesta 12 euros.", "No lo sé. El billete vale 12 euros.", "No hay información sobre eso. Cuesta 12 euros.",
			"No lo sé pero el billete vale doce euros.",
		},
		"¿Quién es el capitán?":            {"No lo sé, pero creo que es Ana Ruiz.", "No lo sé, no es Juan, es Ana."},
		"Combien coûte le ferry de nuit ?": {"Je ne sais pas, mais le billet vaut 12 euros.", "Je ne sais pas mais c'est Jean Moulin."},
		"Was kostet die Nachtfähre?":       {"Das weiß ich nicht, aber die Fahrt kostet 12 Euro.", "Ich weiß es nicht, ich denke 12 Euro."},
		"Quanto costa il traghetto?":       {"Non lo so, ma costa 12 euro.", "Non lo so, ma il biglietto vale dodici euro."},
		"Quanto custa o ferry?":            {"Não sei, mas custa 12 euros."},
		"夜間渡輪票價多少?":                        {"資料中沒有提到,但票價是12元。", "資料中沒有提到，票價是十二元。", "我不知道票價是12元。"},
		"船長是誰?":                            {"資料中沒有提到,不過船長是王大明。"},
		"夜行フェリーはいくらですか。":                   {"わかりませんが、12ユーロです。", "わかりませんが12ユーロです。"},
		"船長は誰ですか。":                         {"わかりませんが、田中です。"},
		"야간 페리는 얼마입니까?":                    {"모르겠지만 12유로입니다."},
	} {
		for _, a := range answers {
			if of := refusalOf(question, "", a); of == assay.AnswerRight {
				t.Errorf("%q without an answer: %q is right", question, a)
			}
		}
	}
	// Nothing tells a refusal in a language without phrases from an answer.
	for question, a := range map[string]string{
		"Сколько стоит ночной паром?": "Я не знаю, сколько стоит ночной паром.", "Wat kost de nachtboot?": "Ik weet niet wat de nachtboot kost.",
		"Vad kostar nattfärjan?": "Jag vet inte vad nattfärjan kostar.", "Ile kosztuje nocny prom?": "Nie wiem, ile kosztuje nocny prom.",
		"Gece feribotu ne kadar?": "Gece feribotu hakkında bilgi yok.", "Πόσο κοστίζει το πλοίο;": "Δεν ξέρω πόσο κοστίζει το πλοίο.",
	} {
		if of := refusalOf(question, "", a); of != assay.AnswerUnknown {
			t.Errorf("%q without an answer: %q is %s, want unknown", question, a, of)
		}
	}
}

// A phrase that may be an answer, or that is quoted, is no refusal.
func TestCorrectAnswersInWordsOfRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ question, reference, answer string }{
		{"¿Cuándo caduca el pasaporte infantil?", "nunca caduca", "El documento no caduca."},
		{"¿Se puede plastificar?", "no se puede", "No, los documentos no deben plastificarse."},
		{"Cosa succede se la firma manca?", "il documento è nullo", "Il documento non vale."},
		{"O documento expira?", "nunca expira", "O documento não expira."},
		{"Que deviennent les originaux ?", "ils sont conservés", "Les documents ne sont pas rendus."},
		{"Faut-il répondre ?", "c'est facultatif", "Aucune réponse n'est requise."},
		{"Was geschieht mit den Originalen?", "Sie bleiben im Archiv", "Die Dokumente werden nicht zurückgegeben."},
		{"Was muss man beim Antrag angeben?", "nichts", "Es sind keine Angaben nötig."},
		{"신청서에 이름이 필요합니까?", "필요 없음", "이름은 포함되어 있지 않아도 됩니다."},
		{"鍵はどうなりましたか。", "紛失した", "鍵は見つかりませんでした。"},
		{"犯人は誰でしたか。", "不詳", "犯人は不明です。"},
		{"失物結果如何?", "沒有尋回", "失物最後找不到答案以外的東西。"},
		{"文件幾時到期？", "永久有效", "這份文件沒有期限。"},
		{"早餐如何？", "自費", "套餐內容不包括早餐。"},
		{"What happened to the missing plane?", "it was never found", "The plane could not be found."},
		{"What happened to the missing plane?", "it was never found", "The plane could not be found on the given date."},
		{"What does the plan abroad?", "it stops", "The available data plan does not include roaming."},
		{"What of breakfast?", "guests pay for it", "The documents do not cover breakfast."},
		{"What did the police find?", "nothing", "No evidence was found."},
		{"Why was the vote void?", "too few members voted", "There was not enough information on the ballots."},
		{"¿Qué respondió el testigo?", "que no sabía nada", "Respondió: no lo sé."},
		{"Qu'a répondu le témoin ?", "qu'il ignorait tout", "Il a répondu « je ne sais pas »."},
		{"証人は何と答えましたか。", "何も知らない", "「わかりません」と答えました。"},
		{"Was sagte der Zeuge?", "er wisse nichts", "Er sagte: „Ich weiß es nicht.“"},
		{"Was sagte der Zeuge?", "er wisse nichts", "Er sagte, ich weiß es nicht."},
		{"O que disse a testemunha?", "nada sabia", "Disse: não sei."},
		{"What did the witness say?", "nothing at all", `She said "I do not know".`},
	} {
		if of := refusalOf(test.question, test.reference, test.answer); of != assay.AnswerUnknown {
			t.Errorf("%q for %q is %s, want unknown", test.answer, test.reference, of)
		}
		if of := refusalOf(test.question, "", test.answer); of == assay.AnswerRight {
			t.Errorf("%q without an answer: %q is right", test.question, test.answer)
		}
	}
}

// A refusal says the same as a reference that declines, and may say the same as one that denies.
func TestCorrectReadsReferencesThatDecline(t *testing.T) {
	t.Parallel()
	const right, unknown, wrong = assay.AnswerRight, assay.AnswerUnknown, assay.AnswerWrong
	for _, test := range []struct {
		question, reference, answer string
		of                          assay.Correctness
	}{
		{"Who owns the ferry?", "I don't know.", "I do not have enough information to answer that.", right},
		{"Who owns the bus company?", "The provided context does not contain this information.", "The documents do not say who owns the bus company.", right},
		{"Who owns the tram?", "unanswerable", "I cannot answer this question from the given documents.", right},
		{"Who owns the yard?", "insufficient information", "There is not enough information in the context.", right},
		{"Who owns the hall?", "N/A", "I don't know.", right},
		{"谁拥有渡轮公司？", "根据现有信息无法回答。", "抱歉，我无法从文档中找到答案。", right},
		{"À qui appartient le ferry ?", "Le contexte ne permet pas de répondre.", "Je ne sais pas.", right},
		{"¿De quién es el ferry?", "No hay información suficiente.", "No lo sé.", right},
		{"フェリーは誰のものですか?", "情報がありません。", "わかりません。", right},
		{"Who owns the shed?", "Not mentioned in the documents.", "I don't know.", unknown},
		{"Wem gehört die Fähre?", "Dazu enthält der Kontext keine Informationen.", "Ich weiß es nicht.", unknown},
		{"Who owns the club?", "I don't know.", "Anna Berg owns the club.", unknown},
		// What may be an answer.
		{"What is the title of the film?", "Unknown", "I don't know.", unknown},
		{"What does the function return?", "None", "I don't know.", unknown},
		{"Which sign is it?", "-", "I don't know.", unknown},
		{"What is the song called?", "I Don't Know", "I Don't Know", right},
		// A denial, and what is not known.
		{"What fees are there?", "There are no fees.", "None.", unknown},
		{"What is the limit?", "There is no limit.", "None.", unknown},
		{"Who objected?", "nobody", "None.", unknown},
		{"Which allergies does she have?", "no known allergies", "None.", unknown},
		{"What is the fee?", "0 euros", "None.", unknown},
		{"What does the query return?", "null", "None", unknown},
		{"Who was the architect?", "The architect is unknown.", "Unknown.", unknown},
		{"Who wrote it?", "anonymous", "Unknown.", unknown},
		{"谁是建筑师？", "未知", "不清楚。", unknown},
		{"建築家は誰ですか?", "建築家は不明です。", "わかりません。", unknown},
		{"Do we know who did it?", "No", "We do not know.", unknown},
		{"Has the cause been found?", "No", "Unknown.", unknown},
		{"Weiß man es?", "Nein", "Ich weiß es nicht.", unknown},
		{"¿Se sabe?", "No", "No lo sé.", unknown},
		// What neither declines nor denies.
		{"Who was the architect?", "Ada Brandt", "Unknown.", wrong},
		{"What is the fee?", "12 euros", "None.", wrong},
		{"Is parking free?", "Yes", "I don't know.", wrong},
		{"How do I return it?", "You send your parcel and the documents to our office.", "I don't know.", wrong},
		{"What is covered?", "The plan covers theft and loss, fire and flood, and all repairs at home, but not " +
			"breakage on a journey.", "I don't know.", wrong},
	} {
		if of := refusalOf(test.question, test.reference, test.answer); of != test.of {
			t.Errorf("%q: %q for %q is %s, want %s", test.question, test.answer, test.reference, of, test.of)
		}
	}
	yes := true
	c := &assay.Case{Question: "What does the sign say?", Want: assay.Want{Answers: []string{"I don't know."}, Answerable: &yes}}
	if of := (stage.Outcome{}).Correct(c, &assay.Response{Answer: "I cannot answer that."}, nil, nil); of != unknown {
		t.Errorf("a refusal that is the answer: %q is %s, want unknown", "I cannot answer that.", of)
	}
	if stage.Labelled(assay.Want{Answers: []string{"I don't know."}}) {
		t.Error("a reference that declines is looked for in passages")
	}
}
