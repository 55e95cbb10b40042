package question

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// KeyQuestions has an entry for each dimension of [KeyQuestionsRubric]: how well
// the response's sub-questions stand for the question.
var KeyQuestions = about(judge.Question[[]judge.Mark]{
	Name: "key_questions", Title: "marks of the key questions", Tasks: []judge.AnyTask{Mark},
	When: func(h *judge.Hearing) bool {
		_, ok := h.Response.SubQuestions()
		return ok
	},
	Find: func(ctx context.Context, h *judge.Hearing) ([]judge.Mark, error) {
		parts, _ := h.Response.SubQuestions()
		return marksBy(ctx, h, KeyQuestionsRubric(h.Subject.Language), judge.Work{Answer: asList(parts)})
	},
	Sample: func(*assay.Case, *assay.Response) []judge.Mark {
		return []judge.Mark{{Level: 4}, {Level: 2, Why: "half of it is asked"}, {Level: 3}, {Level: 4}}
	},
})

// KeyQuestionsRubric is the marking scheme for the key questions that a
// decomposition made of what was asked: 40 points for fidelity, 25 for
// completeness, 20 for clarity and 15 for conciseness, each in four steps. Its
// words are English or Chinese, its dimensions the same.
func KeyQuestionsRubric(lang judge.Language) judge.Rubric {
	r := judge.Rubric{
		Name: "key questions",
		Task: `What is marked is "answer": the key questions, one a line, that a system took "question" apart into, to search for each. Mark them together, against the question alone. They are not to answer it.`,
	}
	for _, d := range keyQuestionsScheme {
		dim := judge.Dimension{Name: d.name, Weight: d.points, Doc: d.english, Anchors: d.steps[:]}
		if lang == judge.Chinese {
			dim.Doc, dim.Anchors = d.chinese, d.stepsChinese[:]
		}
		r.Dimensions = append(r.Dimensions, dim)
	}
	if lang == judge.Chinese {
		r.Task = "被評分的 \"answer\" 是系統由 \"question\" 拆出的關鍵問題，每行一條，各自用於檢索。請把全部關鍵問題當作一份作業，只對照原問題評分；它們不是答案。"
	}
	return r
}

// keyQuestionsScheme has the points and the deductions of the scheme: a step is
// what is left of a dimension after them.
var keyQuestionsScheme = []struct {
	name             string
	points           float64
	english, chinese string
	steps            [5]string
	stepsChinese     [5]string
}{
	{
		"fidelity", 40, "Do they keep the meaning, the figures, the names and the logic of what was asked?", "是否忠於原問題的意思、數字、名稱和邏輯？",
		[5]string{"They ask something else altogether.", "Figures or names are wrong, or the meaning is another.", "The meaning is bent, or a figure is lost.", "One small thing is bent or added.", "Meaning, figures, names and logic are those of the question."},
		[5]string{"完全偏離原意。", "數字或名稱錯誤，或意思已變。", "意思走樣，或遺漏數字。", "有一處輕微走樣或添加。", "意思、數字、名稱和邏輯與原問題一致。"},
	},
	{
		"completeness", 25, "Is all that was asked asked, with its background and its purpose?", "問題、背景和目的是否齊備？",
		[5]string{"Next to nothing of it is asked.", "A bare question is left of it.", "Half of it is asked.", "Background that matters is missing.", "All of it is there."},
		[5]string{"幾乎沒有問到。", "只剩一句孤零零的問句。", "只問了一半。", "缺少重要背景。", "要素齊備。"},
	},
	{
		"clarity", 20, "Is each precise, and is its point plain?", "用語是否精準，焦點是否清楚？",
		[5]string{"What they ask cannot be made out.", "Their point is hard to find.", "A word or a sentence has two meanings.", "A sentence is long or badly built.", "Precise and plain."},
		[5]string{"看不出在問甚麼。", "重點難以看出。", "有歧義或用詞含糊。", "句子過長或結構混亂。", "精準清楚。"},
	},
	{
		"conciseness", 15, "Do they say it in few words, and lose nothing by it?", "是否以最少的字說出完整的意思？",
		[5]string{"Longer than what was asked, or so short that the meaning is gone.", "Far too long, or cut so that meaning is lost.", "Wordy, or cut too far.", "A few words too many.", "Not a word too many, and none missing."},
		[5]string{"比原問題還長，或簡化到意思不明。", "過於冗長，或簡化到意思不全。", "冗長，或過度簡化。", "略有贅詞。", "沒有贅詞，意思完整。"},
	},
}

// asList writes texts one a line, each with its number.
func asList(texts []string) string {
	var b strings.Builder
	for i, t := range texts {
		fmt.Fprintf(&b, "%d. %s\n", i+1, strings.Join(strings.Fields(t), " "))
	}
	return strings.TrimSuffix(b.String(), "\n")
}
