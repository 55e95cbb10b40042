package offline_test

import (
	"context"
	"slices"
	"testing"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/offline"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/rag"
)

func read(t *testing.T, asked, answer string) judge.Reading {
	t.Helper()
	r, err := question.Read.Ask(context.Background(), offline.New(nil), judge.Subject{Question: asked}, answer)
	must(t, err)
	return r
}

func TestKind(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		answer string
		want   judge.AnswerKind
	}{
		{"", judge.Empty}, {" \n", judge.Empty}, {"…?!", judge.Empty},
		{"Paris", judge.Answered}, {"42", judge.Answered}, {"The fee is 5 dollars.", judge.Answered},
		{"The fee is not refundable.", judge.Answered},
		{"No, the ticket cannot be changed.", judge.Answered}, {"If you need to cancel, call 2881 8888.", judge.Answered},
		{"Please contact the office at 9 am.", judge.Answered},
		{"不可以退款。", judge.Answered}, {"唔可以退款，要畀手續費。", judge.Answered},
		{"文件須於三日內提交。", judge.Answered},
		{"I don't know.", judge.Abstained}, {"I do not have specific information about that.", judge.Abstained},
		{"I’m sorry, but I can't find an answer to this.", judge.Abstained},
		{"The provided documents do not mention the fee.", judge.Abstained},
		{"Based on the given context, it is not possible to answer the question.", judge.Abstained},
		{"There is no information about the fee in the passages.", judge.Abstained}, {"Unknown.", judge.Abstained}, {"N/A", judge.Abstained},
		{"You're welcome! Is there anything else I can help you with?", judge.Abstained},
		{"文档中没有提到费用。", judge.Abstained}, {"文件未有提及收費。", judge.Abstained},
		{"我唔知道。", judge.Abstained}, {"無法根據資料回答這個問題。", judge.Abstained},
		{"抱歉，我不清楚。", judge.Abstained},
		{"わかりません。", judge.Abstained}, {"모르겠습니다.", judge.Abstained}, {"Ich weiß es nicht.", judge.Abstained},
		{"Je ne sais pas.", judge.Abstained}, {"No lo sé.", judge.Abstained}, {"Non lo so.", judge.Abstained}, {"Não sei.", judge.Abstained},
		{"The documents do not state the fee. Tickets are sold at the gate.", judge.Partial},
		{"The documents do not state the fee, but tickets are sold at the main gate.", judge.Partial},
		{"文件沒有說明收費。車站設有售票處。", judge.Partial},
	} {
		if got := read(t, "What is the fee?", tc.answer).Kind; got != tc.want {
			t.Errorf("%q: %v, want %v", tc.answer, got, tc.want)
		}
	}
	for _, s := range rag.Declines() {
		if got := read(t, "q", s).Kind; got != judge.Abstained {
			t.Errorf("the pipeline's own %q: %v, want abstained", s, got)
		}
	}
}

func TestClaims(t *testing.T) {
	t.Parallel()
	r := read(t, "What is the fee?",
		"# Fees\n\nWhat is the fee? According to the documents, the fee is **5 dollars** [1]. Here are the exceptions:\n\n1. Children pay "+
			"nothing [2, 3].\n- Over 65s pay half.\n\nI hope this helps!")
	var got []string
	var sentences []int
	for _, c := range r.Claims {
		got, sentences = append(got, c.Text), append(sentences, c.Sentence)
	}
	if want := []string{"the fee is 5 dollars.", "Children pay nothing.", "Over 65s pay half."}; !slices.Equal(got, want) {
		t.Errorf("claims %q, want %q", got, want)
	}
	// The heading is the first sentence, the question the second, the lead
	// over the fourth.
	if want := []int{3, 5, 6}; !slices.Equal(sentences, want) {
		t.Errorf("sentences %v, want %v", sentences, want)
	}
	if want := []string{"# Fees", "What is the fee?", "Here are the exceptions:", "I hope this helps!"}; !slices.Equal(r.Asides, want) {
		t.Errorf("asides %q, want %q", r.Asides, want)
	}
}
