package stage_test

import (
	"slices"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric/stage"
)

// What is short means what its letters, case and signs say: an answer that differs in them is
// not right, and an answer whose meaning is open is not wrong.
func TestCorrectReadsShortAnswers(t *testing.T) {
	t.Parallel()
	notRight := []assay.Correctness{assay.AnswerUnknown, assay.AnswerWrong}
	notWrong := []assay.Correctness{assay.AnswerUnknown, assay.AnswerRight}
	right, wrong := []assay.Correctness{assay.AnswerRight}, []assay.Correctness{assay.AnswerWrong}
	for _, test := range []struct {
		question, reference, answer string
		of                          []assay.Correctness
	}{
		// Letters that look like words.
		{"Which option must the nurse choose?", "Option A", "An option.", notRight},
		{"Which option must the nurse choose?", "Option A", "Option A.", right},
		{"Which option must the nurse choose?", "option", "Option A", notRight},
		{"Which hepatitis is spread by water?", "hepatitis A", "hepatitis", notRight},
		{"Which hepatitis is spread by water?", "hepatitis A", "It is hepatitis A.", right},
		{"Which hepatitis is spread by water?", "hepatitis", "hepatitis a", notRight},
		{"Which war was it?", "World War I", "World War", notRight},
		{"Which war was it?", "World War", "World War I", notRight},
		{"Which war was it?", "World War I", "It was World War I.", right},
		{"Which diabetes?", "type I", "type", notRight},
		{"Which novel?", "A Tale of Two Cities", "It is A Tale of Two Cities.", right},
		{"Welche Gruppe?", "Gruppe A", "Gruppe", notRight},
		{"哪個選項？", "選項A", "選項", notRight},
		{"哪個選項？", "選項A", "選項A。", right},
		// Particles.
		{"What must users do?", "opt in", "opt", notRight},
		{"What must users do?", "opt", "opt in", notRight},
		{"What must users do?", "opt in", "They opt in.", right},
		{"What must staff do first?", "log on", "log", notRight},
		{"Where did they meet?", "in an office", "They met in an office.", right},
		{"How did it end?", "in an explosion", "an explosion", right},
		{"Which film?", "I, Robot", "Robot", notRight},
		{"Which novel?", "On the Road", "The road.", notRight},
		{"Which novel?", "It", "It.", right},
		{"哪種語言？", "中文", "中", notRight},
		{"哪種語言？", "中", "中文", notRight},
		{"是什麼形狀？", "內容豐富", "豐富", notRight},
		// Case.
		{"Which department handles laptops?", "IT", "It handles laptops.", notRight},
		{"Which department handles laptops?", "IT", "IT handles laptops.", right},
		{"Which department handles laptops?", "IT", "IT", right},
		{"In which unit is the laser power given?", "mW", "MW", notRight},
		{"In which unit is the laser power given?", "mW", "It is given in mW.", right},
		{"Which gas is toxic?", "CO", "Co", notRight},
		{"Which gas is toxic?", "CO", "It is Co.", notRight},
		{"Which chemical symbol has arsenic?", "As", "as", notRight},
		{"Which chemical symbol has arsenic?", "As", "As.", right},
		{"Which country signed it?", "US", "It is us.", notRight},
		{"Who published it?", "WHO", "Who?", notRight},
		{"Which method?", "getName", "getname", notRight},
		{"What is measured?", "pH", "PH", notRight},
		{"Welches Amt?", "ER", "Er", notRight},
		{"Which city?", "Lyon", "lyon", right},
		{"Which agency?", "the NASA office", "the nasa office", right},
		{"Who?", "John F. Kennedy", "john f kennedy", right},
		{"Is it free?", "No", "no", right},
		{"Ist es frei?", "Ja", "ja", right},
		{"Which color?", "red", "Red.", right},
		// Signs.
		{"Which flag of ls shows hidden files?", "-a", "-A", notRight},
		{"Which flag of ls shows hidden files?", "-a", "a", notRight},
		{"Which flag of ls shows hidden files?", "-a", "-a.", right},
		{"Which command lists all files?", "ls -a", "ls", notRight},
		{"Which command lists all files?", "ls", "ls -a", notRight},
		{"Which command lists all files?", "ls -a", "It is ls -a.", right},
		{"Which operator tests inequality?", "!=", "=", notRight},
		{"Which operator tests equality?", "=", "!=", notRight},
		{"Which operator tests inequality?", "!=", "!=", right},
		{"Which operator tests inequality?", "≠", "!=", notWrong},
		{"In how many ways can n items be ordered?", "n!", "n", notRight},
		{"In how many ways can n items be ordered?", "n!", "n!", right},
		{"How many ways?", "5!", "5", notRight},
		{"What is the area?", "x^2", "x2", notRight},
		{"What is the area?", "x²", "x^2", right},
		{"What is the index?", "x_2", "x2", notRight},
		{"Which path?", "../lib", "/lib", notRight},
		{"Which path?", "/lib", "lib", notRight},
		{"Which path?", "../lib", "../lib", right},
		{"Which platform?", ".NET", "Net", notRight},
		{"Which variable?", "$PATH", "PATH", notRight},
		{"Which file?", "~/notes", "notes", notRight},
		{"Which article of the GDPR applies?", "Article 6(1)(a)", "Article 6(1)", notRight},
		{"Which article of the GDPR applies?", "Article 6(1)", "Article 6(1)(a)", notRight},
		{"Which article of the GDPR applies?", "Article 6(1)(a)", "Article 6(1)(a) applies.", right},
		{"Welcher Absatz gilt?", "§ 5(2)", "5", notRight},
		{"Which mark?", "A*", "A", notRight},
		{"哪個參數？", "-v", "是-V。", notRight},
		{"哪個參數？", "-v", "是-v。", right},
		{"Which city?", "Lyon", "**Lyon**", right},
		{"Which city?", "Lyon", "- “Lyon”!", right},
		{"Which city?", "Lyon", "(Lyon)", right},
		// Yes and no with another predicate.
		{"Are dogs banned?", "Yes", "No, dogs are not permitted.", notWrong},
		{"Are dogs banned?", "Yes", "No, dogs are not banned.", wrong},
		{"Are dogs banned?", "Yes", "No.", wrong},
		{"Is it closed?", "No", "Yes, it is open.", notWrong},
		{"Is it closed?", "No", "Yes, it is closed.", wrong},
		{"Is it optional?", "No", "Yes, it is mandatory.", notWrong},
		{"Is it free?", "No", "Yes, it costs 5 euros.", notWrong},
		{"Do you mind if I smoke?", "No", "Yes, go ahead", notWrong},
		{"狗是否禁止進入？", "是", "不是，狗不可入內。", notWrong},
		// A sign in words.
		{"What is the value?", "-5", "minus 5", notWrong},
		{"What is the value?", "5", "minus 5", notRight},
		{"What is the value?", "-5", "negative five", notWrong},
		{"Wie kalt ist es?", "-5 °C", "minus 5 °C", notWrong},
		{"氣溫是多少？", "-5", "零下5度", notWrong},
		{"What is the value?", "-5", "-7", wrong},
	} {
		c := &assay.Case{Question: test.question, Want: assay.Want{Answers: []string{test.reference}}}
		if of := (stage.Outcome{}).Correct(c, &assay.Response{Answer: test.answer}, nil, nil); !slices.Contains(test.of, of) {
			t.Errorf("%q: %q for %q is %s, want one of %s", test.question, test.answer, test.reference, of, test.of)
		}
	}
}

// What cannot be answered is right if the answer declines and states nothing beside; what is
// no known way to decline and states no value is not wrong.
func TestCorrectDeclines(t *testing.T) {
	t.Parallel()
	notRight := []assay.Correctness{assay.AnswerUnknown, assay.AnswerWrong}
	notWrong := []assay.Correctness{assay.AnswerUnknown, assay.AnswerRight}
	right, wrong := []assay.Correctness{assay.AnswerRight}, []assay.Correctness{assay.AnswerWrong}
	no := false
	for _, test := range []struct {
		question, answer string
		of               []assay.Correctness
	}{
		{"What is the PIN?", "I don't know why you ask, but it is 1234.", notRight},
		{"What is the PIN?", "I do not know why you ask but it is 1234.", notRight},
		{"What is the PIN?", "The documents do not mention a PIN, but it is 1234.", notRight},
		{"What is the PIN?", "It is 1234, but the documents do not mention it.", notRight},
		{"What is the PIN?", "The documents do not mention a PIN; it is 1234.", notRight},
		{"What is the PIN?", "No information is needed: it is 1234.", notRight},
		{"What does the CEO do on Sunday?", "There is no mention of golf; he plays chess.", notRight},
		{"What does the CEO do on Sunday?", "The documents do not mention golf, but he plays chess.", notRight},
		{"密碼是甚麼？", "我不知道你為何要問，密碼是1234。", notRight},
		{"密碼是甚麼？", "文件沒有提到，但密碼是1234。", notRight},
		{"Wie lautet die PIN?", "Ich weiß nicht, aber sie ist 1234.", notRight},
		{"What is the salary?", "None of the sources cover this.", notWrong},
		{"What is the salary?", "Not in the docs.", notWrong},
		{"What is the salary?", "That information is confidential.", notWrong},
		{"What is the salary?", "I'd need more context to answer that.", notWrong},
		{"What is the salary?", "The salary is a secret.", notWrong},
		{"What is the salary?", "Please ask HR.", notWrong},
		{"What is the salary?", "Beats me.", notWrong},
		{"What is the salary?", "Beyond my knowledge.", notWrong},
		{"What is the salary?", "Undisclosed.", notWrong},
		{"Wie hoch ist das Gehalt?", "Das steht nicht in den Unterlagen.", notWrong},
		{"Wie hoch ist das Gehalt?", "Das ist vertraulich.", notWrong},
		{"Wie hoch ist das Gehalt?", "Keine Angabe.", notWrong},
		{"薪金是多少？", "無可奉告。", notWrong},
		{"薪金是多少？", "這是機密。", notWrong},
		{"What is the salary?", "I do not know.", right},
		{"What is the salary?", "I'm sorry, but the documents do not mention the salary.", right},
		{"What is the salary?", "The documents do not mention the salary, the age, or the name of the CEO.", right},
		{"What is the salary?", "Unfortunately, I cannot answer this question based on the documents.", right},
		{"薪金是多少？", "抱歉，文件沒有提到薪金。", right},
		{"薪金是多少？", "文件中沒有答案。", right},
		{"What is the salary?", "It is 40 dollars.", wrong},
		{"What is the salary?", "The salary is high.", wrong},
		{"Who made it?", "Brunner", wrong},
		{"Who made it?", "It was Brunner.", wrong},
		{"Is it free?", "Yes.", wrong},
		{"薪金是多少？", "薪金是三萬元。", wrong},
	} {
		c := &assay.Case{Question: test.question, Want: assay.Want{Answerable: &no}}
		if of := (stage.Outcome{}).Correct(c, &assay.Response{Answer: test.answer}, nil, nil); !slices.Contains(test.of, of) {
			t.Errorf("%q: %q is %s, want one of %s", test.question, test.answer, of, test.of)
		}
	}
}
