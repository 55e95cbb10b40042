package generate

import "testing"

func TestScreen(t *testing.T) {
	t.Parallel()
	const passage = "Unused tickets of the Tarn line are refunded within 30 days of purchase, and a fee of 5 dollars is kept by the office."
	const chinese = "青塘线未使用的车票可在购买后三十天内退款，收取手续费五元，退款在七日内汇出。"
	for _, c := range []struct {
		question, answer, passage, want string
	}{
		{"What does it cost to hand back a Tarn line ticket?", "5 dollars", passage, ""},
		{"What does the passage say about tickets?", "x", passage, dropPointing},
		{"In this study, how many tickets were sold?", "x", passage, dropPointing},
		{"Which document must I bring to the office?", "A passport.", passage, ""},
		{"What are the passages of the castle used for?", "Storage.", passage, dropPointing}, // judged by its words: better one too many
		{"本文提到的手续费是多少？", "五元", chinese, dropPointing},
		{"把没坐过的青塘线车票退掉要花多少钱？", "五元手续费", chinese, ""},
		// Eight words in a row are those of the passage: tickets … within 30.
		{"Is it so that unused tickets of the tarn line are refunded anywhere?", "Yes, it is.", passage, dropWording},
		// Seven in a row of a longer question are a name and its surroundings.
		{"Where in the world can one have tickets of the Tarn line are refunded signs?", "Nowhere at all.", passage, ""},
		// Five words that make up most of the question.
		{"a fee of 5 dollars is?", "Kept.", passage, dropWording},
		// 14 characters in a row.
		{"为什么未使用的车票可在购买后三十天内退款？", "规定如此。", chinese, dropWording},
		{"Is the fee 5 dollars or more?", "5 dollars.", passage, dropGivesAway},
		{"Is 5 a fee?", "5", passage, ""}, // too short to give anything away
	} {
		if got := screen(c.question, c.answer, []string{"something else", c.passage}); got != c.want {
			t.Errorf("%q: %q, want %q", c.question, got, c.want)
		}
	}
}

func TestAskedTwice(t *testing.T) {
	t.Parallel()
	var a asked
	for _, c := range []struct {
		question string
		fresh    bool
	}{
		{"Where is copper found?", true},
		{"WHERE is copper found", false},
		{"Found copper is where?", false}, // the same words
		// 4 words of 5 are the same: 0.8.
		{"Where is copper found today?", false},
		// 4 of 6: 0.67.
		{"Where is copper found in Chile?", true},
		{"铜在哪里可以找到？", true},
		{"铜在哪里可以找到", false},
		{"铁在什么地方被发现？", true},
	} {
		if got := a.add(c.question); got != c.fresh {
			t.Errorf("%q: new %v, want %v", c.question, got, c.fresh)
		}
	}
}

func TestLongestRun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "a b", 0}, {"a b c", "x a b y", 2}, {"a b a b c", "b a b c", 4}, {"a", "b", 0}} {
		if got := longestRun(terms(c.a), terms(c.b)); got != c.want {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
