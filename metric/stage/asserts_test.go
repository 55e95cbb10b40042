package stage_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric/stage"
)

// An answer that contains the reference is right only if it says nothing else.
func TestCorrectNeedsMoreThanTheWords(t *testing.T) {
	t.Parallel()
	const right, wrong, unknown = assay.AnswerRight, assay.AnswerWrong, assay.AnswerUnknown
	for _, test := range []struct {
		question, reference, answer string
		of                          assay.Correctness
	}{
		// Denials.
		{"When can I get a full refund?", "full refund within 30 days", "There is no full refund within 30 days.", unknown},
		{"When can I get a full refund?", "full refund within 30 days", "You have a full refund within 30 days.", right},
		{"Who led the team?", "Ada Brandt", "Ada Brandt never led the team.", unknown},
		{"Who led the team?", "Ada Brandt", "Ada Brandt never led the team; Hugo Hale did.", unknown},
		{"Who led the team?", "Ada Brandt", "Ada Brandt led the team.", right},
		{"Who led the team?", "Ada Brandt", "The team was led by Ada Brandt.", right},
		{"Is the fee 20 dollars?", "20 dollars", "The fee is not 20 dollars; it was abolished.", unknown},
		{"When was it opened?", "1957", "It was not opened in 1957 but later.", unknown},
		{"When was it opened?", "1957", "Not in 1957: it was opened in 1962.", wrong},
		{"How many seats?", "350 seats", "Some people wrongly say 350 seats, there are far fewer.", unknown},
		{"Who led the team?", "Ada Brandt", "It is not true that it was not Ada Brandt.", unknown},
		{"What color is it?", "red", "It is not only red.", unknown},
		{"What color is it?", "red", "It isn't red.", unknown},
		{"Who led the team?", "Ada Brandt", "Everyone except Ada Brandt.", unknown},
		{"誰帶領團隊？", "陳大文", "陳大文從未帶領團隊。", unknown},
		{"誰帶領團隊？", "陳大文", "帶領團隊的不是陳大文。", unknown},
		{"誰帶領團隊？", "陳大文", "陳大文帶領團隊。", right},
		{"谁带领团队？", "陈大文", "团队由陈大文带领。", right},
		{"谁带领团队？", "陈大文", "没有证据说是陈大文。", unknown},
		// A reference that is negated itself.
		{"Are tickets refundable?", "not refundable", "Tickets are not refundable.", right},
		{"Are tickets refundable?", "not refundable", "Tickets are refundable.", unknown},
		{"Are tickets refundable?", "not refundable", "It is not true that tickets are not refundable.", unknown},
		{"Who may enter?", "nobody", "Nobody.", right},
		{"可以退款嗎？", "不可以", "不可以。", right},
		{"可以退款嗎？", "可以", "不可以。", unknown},
		{"可以退款吗？", "可以退款", "不可以退款。", unknown},
		// Hedges.
		{"Which city?", "Lyon", "Maybe Lyon.", unknown},
		{"Which city?", "Lyon", "It might be Lyon.", unknown},
		{"Which city?", "Lyon", "I think it is Lyon.", unknown},
		{"Which city?", "Lyon", "Lyon?", unknown},
		{"Which city?", "Lyon", "Reportedly Lyon.", unknown},
		{"What does it cost?", "40 dollars", "It costs around 40 dollars.", unknown},
		{"哪個城市？", "里昂", "可能是里昂。", unknown},
		{"哪个城市？", "里昂", "大概是里昂吧。", unknown},
		{"哪個城市？", "里昂", "是里昂。", right},
		// Alternatives and lists.
		{"Which city?", "Lyon", "Either Lyon or Paris, I cannot tell.", unknown},
		{"Which city?", "Lyon", "Lyon, Paris, Rome, Bern, Oslo", unknown},
		{"Which city?", "Lyon", "Lyon and Paris", unknown},
		{"Who led the team?", "Ada Brandt", "Ada Brandt, Hugo Hale, Ida Moor, Jon Lund, Eva Roth", unknown},
		{"Is it red or blue?", "red", "It is red or blue.", unknown},
		{"Is it red or blue?", "red", "It is red.", right},
		{"What is the limit?", "30 days", "The limit is 30 days or maybe 60 days or 90 days.", unknown},
		{"What is the limit?", "30 days", "The limit is 60 days or 90 days.", unknown},
		{"When does it open?", "9 am", "9 am or 10 am or 8 am", unknown},
		{"哪個城市？", "里昂", "里昂或巴黎。", unknown},
		{"哪個城市？", "里昂", "里昂、巴黎、羅馬", unknown},
		{"期限是多少？", "30天", "30天或者60天。", unknown},
		{"Who did John Elway play for?", "Broncos", "Broncos, John Elway", unknown},
		{"Who did John Elway play for?", "Broncos", "John Elway played for the Broncos.", right},
		{"Who did John Elway play for?", "Broncos", "- Broncos\n- John Elway", unknown},
		{"誰可能帶領團隊？", "陳大文", "可能是陳大文。", unknown},
		{"Which one?", "A", "It is the B.", unknown},
		{"Which one?", "/", "It is.", unknown},
		// What was, what would be, and what others say.
		{"What color is it?", "red", "It was red until last year, now it is blue.", unknown},
		{"What color is it?", "red", "It was red.", unknown},
		{"What color was it?", "red", "It was red.", right},
		{"What color is it?", "red", "It would be red if it were new.", unknown},
		{"What color is it?", "red", "It used to be red.", unknown},
		{"Is parking free?", "yes", "Yes, if you have a card.", unknown},
		{"Is parking free?", "yes", "Yes, but only on Sundays.", unknown},
		{"Is parking free?", "yes", "Yes, parking is free.", right},
		{"Is parking free?", "no", "Yes, parking is free.", wrong},
		{"Is parking free?", "no", "Yes, unless you come by truck.", unknown},
		{"Is parking free?", "no", "No, parking is not free.", right},
		{"Is parking free?", "no", "No.", right},
		{"Is parking free?", "no", "No, parking is free.", unknown},
		{"Is parking free?", "yes", "Yes, parking is not free.", unknown},
		{"Is parking free?", "yes", "Yes and no.", unknown},
		{"Is parking free?", "no", "There is no parking.", unknown},
		{"Isn't parking free?", "no", "Yes, it isn't.", unknown},
		{"Is smoking allowed?", "no", "Smoking is prohibited everywhere.", unknown},
		{"Is parking free?", "yes", "You pay nothing for parking; no fee applies.", unknown},
		{"它是什麼顏色？", "紅色", "以前是紅色，現在是藍色。", unknown},
		{"它是什么颜色？", "红色", "如果是新的，就是红色。", unknown},
		{"它是什么颜色？", "红色", "它是红色。", right},
		{"停車免費嗎？", "是", "不是，停車不是免費。", wrong},
		{"停車免費嗎？", "是", "不是，需要收費", unknown},
		{"停車免費嗎？", "是", "是，停車免費。", right},
		{"停車免費嗎？", "是", "是的，但只限星期日", unknown},
		// Quoted questions.
		{"Was it opened in 1957?", "1957", "You ask whether it was opened in 1957.", unknown},
		{"Who led the team, Ada Brandt or Hugo Hale?", "Ada Brandt", "Who led the team, Ada Brandt or Hugo Hale?", unknown},
		{"Who led the team, Ada Brandt or Hugo Hale?", "Ada Brandt", "Ada Brandt led Hugo Hale.", unknown},
		// Names in names.
		{"Where is it?", "New York", "The New York Times", unknown},
		{"Where is the New York Times?", "New York", "The New York Times.", unknown},
		{"Where is the New York Times?", "New York", "It is in New York.", right},
		{"Who made it?", "Brunner", "It was made by Brunner's son.", unknown},
		{"Who made it?", "Brunner", "It was made by the rival of Brunner.", unknown},
		{"Who made it?", "Ann", "It was made by Annika.", unknown},
		{"Which country?", "Korea", "North Korea", unknown},
		{"Who beat Lyon?", "Paris", "Lyon beat Paris.", unknown},
		{"Who beat Lyon?", "Paris", "Paris beat Lyon.", right},
		{"Who beat Lyon?", "Paris", "Lyon was beaten by Paris.", right},
		{"Who was beaten by Lyon?", "Paris", "Lyon was beaten by Paris.", unknown},
		{"他在哪裡？", "北京", "北京大學", unknown},
		{"他在哪裡？", "紐約", "紐約時報", unknown},
		{"誰打敗甲隊？", "乙隊", "甲隊打敗乙隊。", unknown},
		// Ranges and bounds.
		{"How many?", "6", "between 5 and 7", unknown},
		{"What does it cost?", "40 dollars", "It costs up to 40 dollars.", unknown},
		{"What does it cost?", "40 dollars", "It costs up to 60 dollars.", unknown},
		{"What does it cost?", "40 dollars", "More than 30 dollars.", unknown},
		{"What does it cost?", "up to 40 dollars", "It costs 30 dollars.", unknown},
		{"What does it cost?", "40 dollars", "40 dollars per month", unknown},
		{"How many seats?", "350", "at least 300 seats", unknown},
		{"How many seats?", "350", "See page 12.", unknown},
		{"How many legal pages?", "None", "None", right},
		{"有多少座位？", "350", "最多300個座位", unknown},
		{"有多少座位？", "350", "有300至400個座位", unknown},
		{"有多少座位？", "350", "有300個座位", wrong},
		{"有多少座位？", "350", "有350個座位", right},
		// Times, dates and units in other spellings.
		{"When does the shop close?", "5 pm", "It closes at 17:00.", right},
		{"When does the shop close?", "5 pm", "It closes at 18:00.", wrong},
		{"When does the shop close?", "5 pm", "It closes at 5:00.", unknown},
		{"When does the shop close?", "5 pm", "It opens at 5 pm.", unknown},
		{"商店何時關門？", "下午5時", "商店17:00關門。", right},
		{"商店何时关门？", "下午5点", "商店下午6点关门。", wrong},
		{"What time is the train?", "half past nine", "At 9:30.", right},
		{"What does it cost?", "20 dollars", "It costs twenty bucks.", right},
		{"How long is the warranty?", "24 months", "Two years.", right},
		{"How long is the warranty?", "24 months", "The warranty is 3 years.", wrong},
		{"What is the share?", "50 %", "One half of it.", unknown},
		{"How far is it?", "1 km", "A thousand metres.", right},
		{"When was it built?", "1999", "In the last year before 2000, i.e. '99.", unknown},
		{"What is the weight?", "2 kg", "It weighs 2000 g (4.4 lb).", unknown},
		{"What is the deadline?", "31 March 2021", "By the end of March 2021.", unknown},
		{"What is the deadline?", "31 March 2021", "The deadline is 2021-03-31.", right},
		{"What is the deadline?", "31 March 2021", "March 31 , 2021", right},
		{"When was it built?", "1999", "It was built on 3 May 1999.", unknown},
		{"How many steps?", "1,776 steps", "1, 775", unknown},
		{"How many people?", "12 people", "A dozen.", unknown},
		{"How much is the loan?", "1.5 million euros", "EUR 1,500,000.", right},
		{"What does entry cost for two?", "40 dollars", "Each ticket is 20 dollars, so for two it is 40 dollars in total.", unknown},
		{"When was it opened?", "1957", "Construction began in 1950 and it was opened in 1962.", unknown},
		// Long answers.
		{"Who led the team?", "Ada Brandt", "Ada Brandt. " + strings.Repeat("The team was small. ", 50) + "Nobody led it.", unknown},
		{"What is the limit?", "30 days", strings.Repeat("Many rules apply to many goods. ", 50) + "It is 30 days for some.", unknown},
		{"What does the plan include?", "The plan includes two visits a year and all vaccines for dogs and cats.",
			"The plan includes two visits a year and all vaccines for dogs and cats.", right},
		{"What does the plan include?", "The plan includes two visits a year and all vaccines for dogs and cats.",
			"The plan includes two visits a year and no vaccines for dogs and cats.", unknown},
		{"What does the plan include?", "The plan includes two visits a year and all vaccines for dogs and cats.",
			"The plan includes three visits a year and all vaccines for dogs and cats.", unknown},
	} {
		c := &assay.Case{Question: test.question, Want: assay.Want{Answers: []string{test.reference}}}
		if of := (stage.Outcome{}).Correct(c, &assay.Response{Answer: test.answer}, nil, nil); of != test.of {
			t.Errorf("%q: %q for %q is %s, want %s", test.question, test.answer, test.reference, of, test.of)
		}
	}
}

// What stands beside another value may make it the same one, in any language: a bound, a rounded
// value, a rate, a part of a sum. Only an answer that says nothing else is wrong.
func TestCorrectKnowsWhatIsBesideAValue(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		question, reference string
		unknown, wrong      []string
	}{
		// A rounded reference is stated by what is near it.
		{"How many seats does the hall have?", "about 1,200", []string{"1,187", "1,100", "The hall has 1,187 seats."}, nil},
		{"How long is the bridge?", "about 2 km", []string{"1.9 km", "2.4 km", "1.2 miles"}, []string{"5 km"}},
		{"When was it built?", "around 1850", []string{"1852", "It was built on 3 May 1852."}, nil},
		{"When was it built?", "~1850", []string{"1852"}, nil},
		{"When was it built?", "the 1850s", []string{"1852"}, nil},
		{"When does it start?", "around 5 pm", []string{"4:45 pm"}, nil},
		{"What share is it?", "roughly 50 %", []string{"48 %"}, []string{"90 %"}},
		{"Wie viele?", "etwa 1200", []string{"1187"}, nil},
		{"Combien ?", "environ 1200", []string{"1187"}, nil},
		{"多少人？", "約1200人", []string{"1187人"}, nil},
		{"About how many seats does the hall have?", "1,187", []string{"1,200", "1,300", "The hall has 1,200 seats."}, []string{"5,000"}},
		{"What is the approximate number of seats?", "1,187", []string{"1,300"}, []string{"5,000"}},
		{"Around when was it built?", "1850", []string{"1852"}, nil},
		{"About when does it open?", "9 am", []string{"9:15"}, nil},
		{"How old is the tree, about?", "900 years", []string{"850 years"}, []string{"90 years"}},
		{"大約有多少個座位？", "1187", []string{"1300"}, nil},
		{"紐約有多少個座位？", "1187", nil, []string{"1300"}},
		{"How old is the book about bees?", "800 years", nil, []string{"700 years"}},
		{"How many seats does the hall have?", "1,187", []string{"1,200"}, []string{"1,400"}},
		{"When was it built?", "1187", nil, []string{"1200"}},
		// Another period.
		{"What is the interest?", "12 % a year", []string{"1 % a month", "1% monthly", "1 %"}, []string{"15 % a year"}},
		{"What is the salary?", "60,000 euros a year", []string{"5,000 euros a month", "5,000 euros/month"}, []string{"70,000 euros a year"}},
		{"What is the salary?", "60,000 a year", []string{"5,000 a month"}, nil},
		{"What is the salary?", "60,000 euros", []string{"5,000 euros a month", "It is 5,000 euros a month."}, []string{"It is 70,000 euros."}},
		{"Wie hoch ist das Gehalt?", "60000 Euro", []string{"5000 Euro im Monat", "5000 Euro monatlich"}, []string{"70000 Euro"}},
		{"Quel est le salaire ?", "60000 euros", []string{"5000 euros par mois"}, []string{"70000 euros"}},
		{"工資是多少？", "60000元", []string{"月薪5000元", "一個月5000元"}, []string{"70000元"}},
		{"How much is it?", "100 dollars", []string{"50 dollars a head", "50 dollars/person", "50 dollars apiece"}, []string{"50 dollars"}},
		// Parts and formulas.
		{"What does it cost with VAT?", "119 euros", []string{
			"100 euros plus 19 % VAT", "100 euros and 19 % VAT", "100 euros net", "It is 100 euros with 19 % VAT on top.",
			"100 Euro zzgl. 19 % MwSt.", "100 euros hors taxe", "100 euros más 19 % de IVA",
		}, []string{"100 euros", "It costs 100 euros with VAT."}},
		{"How much is it?", "100 dollars", []string{"50 dollars times two", "200 dollars minus 50 %", "50 dollars plus 50 dollars"}, nil},
		{"What is the total?", "289", []string{"17 squared", "17²", "17 × 17"}, nil},
		// Bounds and rounded values.
		{"How many seats?", "350", []string{"about 300", "300 or so", "roughly 300 seats", "~300"}, []string{"300 seats"}},
		{"Wie viele Plätze?", "1200", []string{"etwa 1150", "bis zu 1500", "mehr als 1000", "mindestens 1000"}, []string{"1150"}},
		{"Wann wurde es gebaut?", "1998", []string{"vor 2001", "nach 1990", "seit 1990"}, []string{"2001"}},
		{"Combien de places ?", "1200", []string{"environ 1150", "plus de 1000", "jusqu'à 1500", "au moins 1000"}, []string{"1150"}},
		{"¿Cuándo?", "1998", []string{"antes de 2001", "después de 1990", "hacia 2000"}, nil},
		{"Quanti posti?", "1200", []string{"più di 1000", "fino a 1500", "almeno 1000"}, nil},
		{"Quantos lugares?", "1200", []string{"cerca de 1150", "mais de 1000", "até 1500"}, nil},
		{"Hoeveel plaatsen?", "1200", []string{"ongeveer 1150", "meer dan 1000", "tot 1500"}, nil},
		{"Ile miejsc?", "1200", []string{"około 1150", "ponad 1000", "mniej niż 1500", "do 1500"}, nil},
		{"Сколько мест?", "1200", []string{"около 1150", "более 1000", "до 1500"}, nil},
		{"Hur många platser?", "1200", []string{"ungefär 1150", "mer än 1000"}, nil},
		{"Kaç yer var?", "1200", []string{"yaklaşık 1150", "en az 1000"}, nil},
		{"いつ?", "1998", []string{"1990年以降", "2000年頃"}, nil},
		{"몇 개?", "1200", []string{"약 1150", "1000 이상"}, nil},
		{"كم مقعدا؟", "1200", []string{"حوالي 1150", "أكثر من 1000"}, nil},
	} {
		c := &assay.Case{Question: test.question, Want: assay.Want{Answers: []string{test.reference}}}
		for i, answers := range [][]string{test.unknown, test.wrong} {
			for _, a := range answers {
				want := []assay.Correctness{assay.AnswerUnknown, assay.AnswerWrong}[i]
				if of := (stage.Outcome{}).Correct(c, &assay.Response{Answer: a}, nil, nil); of != want {
					t.Errorf("%q: %q for %q is %s, want %s", test.question, a, test.reference, of, want)
				}
			}
		}
	}
}

// A word that sets the reference apart is no echo of the question, in any language.
func TestCorrectNeedsNoWordThatSetsApart(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		question, reference string
		unknown, right      []string
	}{
		{"Wo findet es statt?", "Lyon", []string{"statt in Lyon", "Statt in Lyon."}, []string{"Es findet in Lyon statt."}},
		{"Wer spielt anstelle von Anna?", "Bo", []string{"anstelle von Bo"}, []string{"Bo"}},
		{"Wer war außer Anna da?", "Bo", []string{"außer Bo"}, []string{"Bo war da."}},
		{"Wer war nicht da?", "Anna", []string{"Nicht Anna."}, []string{"Anna"}},
		{"Qui joue au lieu d'Anne ?", "Bo", []string{"au lieu de Bo"}, []string{"Bo joue"}},
		{"Qui était là sauf Anne ?", "Bo", []string{"sauf Bo"}, nil},
		{"¿En qué lugar de Francia se celebra?", "Lyon", []string{"en lugar de Lyon"}, []string{"Lyon"}},
		{"¿Quién juega en vez de Ana?", "Bo", []string{"en vez de Bo"}, nil},
		{"Chi gioca invece di Anna?", "Bo", []string{"invece di Bo"}, []string{"Bo gioca"}},
		{"Quem joga em vez de Ana?", "Bo", []string{"em vez de Bo"}, nil},
		{"In welke plaats van Nederland is het?", "Gouda", []string{"in plaats van Gouda"}, []string{"Gouda"}},
		{"Vem spelar i stället för Anna?", "Bo", []string{"i stället för Bo"}, nil},
		{"Kto gra zamiast Anny?", "Bo", []string{"zamiast Bo"}, nil},
		{"Кто играет вместо Анны?", "Шевченко", []string{"вместо Шевченко"}, []string{"Шевченко играет"}},
		{"Кто не пришёл?", "Шевченко", []string{"не Шевченко"}, []string{"Шевченко"}},
		{"Ann yerine kim oynuyor?", "Bo", []string{"Bo yerine"}, []string{"Bo oynuyor"}},
		{"谁代替安娜？", "王明", []string{"代替王明"}, []string{"王明"}},
		{"除安娜以外还有谁？", "王明", []string{"王明以外"}, []string{"王明"}},
		{"アンナの代わりに誰が出ますか?", "ボブ", []string{"ボブの代わりに"}, []string{"ボブが出ます"}},
		{"안나 대신 누가 나옵니까?", "보라", []string{"보라 대신"}, []string{"보라"}},
		{"من يلعب بدلا من آنا؟", "بو", []string{"بدلا من بو"}, []string{"بو"}},
		{"अन्ना के बजाय कौन?", "बो", []string{"बो के बजाय"}, []string{"बो"}},
		{"Who was there besides Ann?", "Bo", []string{"besides Bo"}, []string{"Bo was there."}},
		{"Who played in place of Ann?", "Bo", []string{"in place of Bo"}, []string{"Bo played."}},
		{"Which town near the river has the depot?", "Lyon", []string{"near Lyon", "It is near Lyon."}, []string{"Lyon has the depot."}},
		{"Which town outside the valley has it?", "Lyon", []string{"outside Lyon"}, []string{"Lyon"}},
		{"Which town north of the river has it?", "Lyon", []string{"north of Lyon"}, []string{"Lyon"}},
		{"Which town close to the sea has it?", "Lyon", []string{"close to Lyon"}, []string{"Lyon"}},
		{"What is the depot near?", "Lyon", nil, []string{"near Lyon", "The depot is near Lyon."}},
		{"Quelle ville près du fleuve ?", "Lyon", []string{"près de Lyon"}, []string{"Lyon"}},
		{"Welche Stadt bei der Grenze hat es?", "Lyon", []string{"bei Lyon"}, []string{"Lyon"}},
		{"Are tickets refundable?", "nicht erstattbar", nil, []string{"nicht erstattbar"}},
	} {
		c := &assay.Case{Question: test.question, Want: assay.Want{Answers: []string{test.reference}}}
		for i, answers := range [][]string{test.unknown, test.right} {
			for _, a := range answers {
				want := []assay.Correctness{assay.AnswerUnknown, assay.AnswerRight}[i]
				if of := (stage.Outcome{}).Correct(c, &assay.Response{Answer: a}, nil, nil); of != want {
					t.Errorf("%q: %q for %q is %s, want %s", test.question, a, test.reference, of, want)
				}
			}
		}
	}
}

// What echoes a part of the question that is denied, qualified or directed must do so too: else it speaks of
// something else. What the question has itself makes no answer another one.
func TestCorrectReadsTheQuestion(t *testing.T) {
	t.Parallel()
	const right, wrong, unknown = assay.AnswerRight, assay.AnswerWrong, assay.AnswerUnknown
	for _, test := range []struct {
		question, reference, answer string
		of                          assay.Correctness
	}{
		{"What is not covered by the warranty?", "Batteries", "Batteries are covered by the warranty.", unknown},
		{"What is not covered by the warranty?", "Batteries", "Batteries.", right},
		{"What is not covered by the warranty?", "Batteries", "Batteries are not covered by the warranty.", right},
		{"What is not covered by the warranty?", "Batteries", "Not batteries are covered by the warranty.", unknown},
		{"What does it cost without VAT?", "100 euros", "It costs 100 euros without VAT.", right},
		{"可不可以說誰負責招生？", "王小明", "王小明不可以說。", unknown},
		{"哪種能源不是進口的？", "進口", "不是進口。", unknown},
		{"哪一國家不是成員？", "韓國", "不是韓國。", unknown},
		{"Are dogs not allowed?", "Yes", "Yes, dogs are not allowed.", unknown},
		{"Which medicine should I not take with alcohol?", "Metronidazole", "Take Metronidazole with alcohol.", unknown},
		{"Which plan doesn't include roaming?", "Flex S", "Flex S includes roaming.", unknown},
		{"Which field may not be empty?", "email", "The field email may be empty.", unknown},
		{"Which browsers are no longer supported?", "IE 11", "IE 11 is supported.", unknown},
		{"Who never signed the treaty?", "Norway", "Norway signed the treaty.", unknown},
		{"Which city has no airport?", "Bonn", "Bonn has an airport.", unknown},
		{"Which countries lack a visa agreement?", "Chad", "Chad has a visa agreement.", unknown},
		{"What is the fee for non-members?", "20 euros", "The fee for members is 20 euros.", unknown},
		{"What is the fee for non-members?", "20 euros", "The fee is 20 euros.", right},
		{"If I do not cancel, what is the fee?", "20 euros", "The fee is 20 euros.", right},
		{"Which product is sugar-free?", "Cola Zero", "Cola Zero has sugar.", unknown},
		{"Which product is sugar-free?", "Cola Zero", "The product is Cola Zero.", right},
		{"Which countries are outside the EU?", "Norway", "Norway is in the EU.", unknown},
		{"Which flight is without a meal?", "LH12", "LH12 has a meal.", unknown},
		{"Which alarm is off?", "A3", "A3 is on.", unknown},
		{"Which alarm is off?", "A3", "The alarm is A3.", right},
		{"Who is the former CEO?", "Tom Ray", "Tom Ray is the CEO.", unknown},
		{"Who will be the director?", "Tom Ray", "Tom Ray was the director.", unknown},
		{"Who will be the director?", "Tom Ray", "Tom Ray will be the director.", right},
		{"Wer kann nicht teilnehmen?", "Jan", "Jan kann teilnehmen.", unknown},
		{"Quels frais ne sont pas remboursés ?", "les frais de taxi", "Les frais de taxi sont remboursés.", unknown},
		{"¿Qué país no tiene costa?", "Bolivia", "Bolivia tiene costa.", unknown},
		{"Chi non può partecipare?", "Gianni", "Gianni può partecipare.", unknown},
		{"Quem não pode participar?", "João", "João pode participar.", unknown},
		{"Wie kan niet deelnemen?", "Jan", "Jan kan deelnemen.", unknown},
		{"Vem kan inte delta?", "Jan", "Jan kan delta.", unknown},
		{"Kto nie może uczestniczyć?", "Jan", "Jan może uczestniczyć.", unknown},
		{"Кто не может участвовать?", "Иван", "Иван может участвовать.", unknown},
		{"誰未出席？", "王小明", "王小明出席。", unknown},
		{"哪些藥不能和酒一起吃？", "甲硝唑", "甲硝唑能和酒一起吃。", unknown},
		{"可不可以說誰負責招生？", "王小明", "王小明負責招生。", right},
		{"非洲最高的山是哪座？", "乞力馬扎羅", "最高的山是乞力馬扎羅。", right},
		{"Is it true that batteries are not covered?", "Yes", "Yes, batteries are covered.", unknown},
		{"Is it false that tax is included?", "Yes", "No, tax is not included.", unknown},
		{"How many users are not active?", "12", "30 users are active.", unknown},
		{"How many users are not active?", "12", "12 users are active.", unknown},
		{"How many users are not active?", "12", "30 users.", wrong},
		{"How many users are not active?", "12", "12 users.", right},
		// Parts and directions.
		{"Which company was bought by Oracle?", "Sun", "Sun bought Oracle.", unknown},
		{"Which company was bought by Oracle?", "Sun", "Sun was bought by Oracle.", right},
		{"¿Qué empresa fue comprada por Acme?", "Globex", "Globex comprada Acme.", unknown},
		{"When was the bridge built by the Romans?", "1226", "The Romans built the bridge in 1226.", right},
		{"By how much did sales change?", "5 %", "Sales did change by 5 %.", right},
		{"What is the exchange rate from USD to EUR?", "0.92", "The exchange rate from EUR to USD is 0.92.", unknown},
		{"What is the exchange rate from USD to EUR?", "0.92", "The exchange rate from EUR to USD is 0.95.", unknown},
		{"What is the exchange rate from USD to EUR?", "0.92", "The exchange rate from USD to EUR is 0.92.", right},
		{"Welcher Zug fährt von Bonn nach Köln?", "RE5", "RE5 fährt von Köln nach Bonn.", unknown},
		{"哪班車從台北到高雄？", "自強105", "自強105從高雄到台北。", unknown},
		{"When does the shop open on Sundays?", "9 am", "On Sundays the shop opens at 9 am.", right},
		{"Who is Tom's father?", "Ray", "Tom is Ray's father.", unknown},
		{"Whose car is it?", "Ray", "It is Ray's car.", right},
		{"Should I turn it on or off?", "off", "on, off", unknown},
		{"What is the status of order 5?", "delivered", "Order 5 is being delivered.", unknown},
		// Questions without a mark.
		{"What is the price?", "10 euros", "Is the price 10 euros", unknown},
		{"What is the price?", "10 euros", "What, 10 euros", unknown},
		{"Wann beginnt es?", "Montag", "Am Montag.", right},
		// Chinese, Japanese and Korean.
		{"料金はいくらですか？", "1,000円", "1,000円からです。", unknown},
		{"料金はいくらですか？", "1,000円", "1,000円くらいです。", unknown},
		{"料金はいくらですか？", "1,000円", "料金は1,000円です。", right},
		{"いつから使えますか？", "4月1日", "4月1日から使えます。", right},
		{"窓口はどこですか？", "本社", "本社ですか。", unknown},
		{"담당자는 누구입니까?", "김철수", "김철수입니까.", unknown},
		{"學費多少？", "100元", "多100元", unknown},
		{"要多久？", "3天", "3天多", unknown},
		{"費用是多少？", "100元", "100元內", unknown},
		{"這座橋有多長？", "30公里", "這座橋長30公里。", right},
		{"今年多了多少？", "10元", "今年多了10元。", right},
		// Options whose letters are words elsewhere.
		{"Which option is correct?", "C", "A, C", unknown},
		{"Which option is correct?", "B", "A; B", unknown},
		{"Which option is correct?", "B", "(A), (B)", unknown},
		{"Which option is correct?", "B", `["A", "B"]`, unknown},
		{"Which option is correct?", "B", "The answer is A, B.", unknown},
		{"Which option is correct?", "B", "A C", unknown},
		{"Which option is correct?", "A", "A.", right},
		{"Which option is correct?", "B", "I think it is a B.", unknown},
		{"Which phase is it?", "II", "I, II", unknown},
		{"What was found?", "hepatitis B", "hepatitis A, B", unknown},
		{"What was found?", "boat", "A boat was found.", right},
		{"Which formula?", "a-b", "b-a", unknown},
		// Signs of the question, rates and units.
		{"When will the 3G network be switched off?", "28 February 2027", "The 3G network will be switched off on 28 February 2027.", right},
		{"Is it 5 mW or 5 MW?", "5 mW", "5 MW", unknown},
		{"How many mW are 5 MW?", "5,000,000,000", "5,000,000,000 MW", unknown},
		{"How much is NZ$9 in A$?", "8", "NZ$8", unknown},
		{"What did A and B cost?", "5 and 3", "B 5 and A 3", unknown},
		{"Can I keep my number when I switch?", "Yes", "Yes, you can keep your number when you switch.", right},
		{"What does the Flex L plan cost per month?", "€39.99", "The Flex L plan costs €34.99 per month.", wrong},
		{"What does the Flex L plan cost?", "€39.99", "The Flex L plan costs €34.99 per month.", unknown},
		{"Is it more than 30 dollars?", "40 dollars", "It is more than 50 dollars.", unknown},
		{"How fast is the line?", "100 Mbit/s", "1,000 Mbit/s", wrong},
		{"How fast is the line?", "100 Mbit/s", "200 MB/s", unknown},
		{"How fast is the line?", "100 Mbit/s", "6,000 Mbit/min", unknown},
		{"How fast is the train?", "100 km/h", "120 km/h", wrong},
		{"How fast is the train?", "100 km/h", "2 km", unknown},
		{"How fast is the train?", "100 km/h", "28 m/s", unknown},
	} {
		c := &assay.Case{Question: test.question, Want: assay.Want{Answers: []string{test.reference}}}
		if of := (stage.Outcome{}).Correct(c, &assay.Response{Answer: test.answer}, nil, nil); of != test.of {
			t.Errorf("%q: %q for %q is %s, want %s", test.question, test.answer, test.reference, of, test.of)
		}
	}
	c := &assay.Case{Question: "What is not covered by the warranty?", Want: assay.Want{Keywords: []string{"batteries"}}}
	if of := (stage.Outcome{}).Correct(c, &assay.Response{Answer: "Batteries are covered by the warranty."}, nil, nil); of != unknown {
		t.Errorf("a keyword in what is denied is %s", of)
	}
}
