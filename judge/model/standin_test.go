package model_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay/dataset/generate"
	"github.com/assay-eval/assay/judge/model"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag"
)

const standInNonce = "00112233445566778899aabbccddeeff"

// standInRequest writes JSON on one line, as the prompts do.
func standInRequest(data string) llm.Request {
	var line bytes.Buffer
	if json.Compact(&line, []byte(data)) == nil {
		data = line.String()
	}
	return llm.Request{Operation: "x", Messages: []llm.Message{{
		Role: "user", Text: fmt.Sprintf(
			"Here it is.\n\n<data nonce=%q>\n%s\n</data nonce=%q>\n\nEcho %q.", standInNonce, data, standInNonce, standInNonce,
		),
	}}}
}

// answer gives the reply without its nonce and its confidence, which are checked, and its
// reasons.
func answer(t interface {
	Helper()
	Fatalf(string, ...any)
}, r llm.Request) map[string]any {
	t.Helper()
	said, err := model.StandIn(generate.StandIns()).Answer(r)
	if err != nil {
		t.Fatalf("%v", err)
	}
	var reply map[string]any
	if err := json.Unmarshal([]byte(said), &reply); err != nil {
		t.Fatalf("%q: %v", said, err)
	}
	if reply["nonce"] != standInNonce {
		t.Fatalf("nonce %v, want %s", reply["nonce"], standInNonce)
	}
	delete(reply, "nonce")
	rulings := []any{reply}
	if items, ok := reply["items"].([]any); ok {
		rulings = append(rulings, items...)
	}
	for _, r := range rulings {
		ruling, _ := r.(map[string]any)
		if c, ok := ruling["confidence"].(float64); ok && (c < 50 || c > 100) {
			t.Fatalf("confidence %v: want 50 to 100", c)
		}
		delete(ruling, "why")
		delete(ruling, "confidence")
	}
	return reply
}

func value(t *testing.T, s string) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return v
}

func TestStandIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, data, want string }{
		{
			"claims: a greeting and a question make none",
			`{"task":"claims","question":"When?","sentences":[{"id":1,"text":"Hello there!"},{"id":2,"text":"The ferry leaves at 9."},` +
				`{"id":3,"text":"Shall I book?"}]}`,
			`{"kind":"answered","items":[{"id":1,"claim":"Hello there!","sentence":1,"status":"aside"},
			  {"id":2,"claim":"The ferry leaves at 9.","sentence":2,"status":"claim"},{"id":3,"claim":"Shall I book?","sentence":3,"status":"aside"}]}`,
		},
		{"claims: declining", `{"task":"claims","sentences":[{"id":1,"text":"I don’t know."}]}`,
			`{"kind":"abstained","items":[{"id":1,"claim":"I don’t know.","sentence":1,"status":"aside"}]}`},
		{
			"claims: declining in part", `{"task":"claims","sentences":[{"id":1,"text":"渡輪九時開。"},` +
				`{"id":2,"text":"票價我不知道。"}]}`,
			`{"kind":"partial","items":[{"id":1,"claim":"渡輪九時開。","sentence":1,"status":"claim"},` +
				`{"id":2,"claim":"票價我不知道。","sentence":2,"status":"aside"}]}`,
		},
		{"claims: nothing", `{"task":"claims","sentences":[]}`, `{"kind":"empty","items":[]}`},
		{
			// Words: ferry leave pier nine o'clock… all but "quickly" of 1; 2
			// has another number; 3 a negation; 4 nothing; 5 a restriction to
			// the source that does not say so.
			"support: supported, contradicted, not found",
			`{"task":"support","question":"q","sources":[{"id":1,"name":"passage 1","text":"Dogs are welcome. The ferry leaves the old pier at 9:30."},{"id":2,"name":"passage 2","text":"Bicycles travel free."}],
			  "claims":[{"id":1,"claim":"The ferry leaves the old pier at 9:30."},{"id":2,"claim":"The ferry leaves the old pier at 11:45."},
			   {"id":3,"claim":"Bicycles do not travel free."},{"id":4,"claim":"Whales sing loudly."},{"id":5,"claim":"Dogs are welcome.","sources":[2]}]}`,
			`{"items":[{"id":1,"verdict":"supported","quotes":[{"source":1,"quote":"The ferry leaves the old pier at 9:30."}],"against":[]},
			  {"id":2,"verdict":"contradicted","quotes":[{"source":1,"quote":"The ferry leaves the old pier at 9:30."}],"against":[]},
			  {"id":3,"verdict":"contradicted","quotes":[{"source":2,"quote":"Bicycles travel free."}],"against":[]},
			  {"id":4,"verdict":"not_found","quotes":[],"against":[]},{"id":5,"verdict":"not_found","quotes":[],"against":[]}]}`,
		},
		{
			"support: by each of two, and by two together",
			`{"task":"support","sources":[{"id":7,"text":"Dogs are welcome."},
			   {"id":8,"text":"The crew said: dogs are always welcome!"},{"id":9,"text":"Cats pay half."}],
			  "claims":[{"id":1,"claim":"Dogs are welcome"},{"id":2,"claim":"Dogs welcome, cats pay half"}]}`,
			`{"items":[{"id":1,"verdict":"supported","quotes":[{"source":7,"quote":"Dogs are welcome."},
			   {"source":8,"quote":"The crew said: dogs are always welcome!"}],"against":[]},
			  {"id":2,"verdict":"supported","quotes":[{"source":9,"quote":"Cats pay half."},
			   {"source":7,"quote":"Dogs are welcome."}],"against":[]}]}`,
		},
		{
			"support: one says so and another otherwise",
			`{"task":"support","sources":[{"id":4,"text":"The ferry leaves at 9:30."},{"id":5,"text":"The ferry leaves at 10:15."}],
			  "claims":[{"id":1,"claim":"The ferry leaves at 9:30."}]}`,
			`{"items":[{"id":1,"verdict":"conflict","quotes":[{"source":4,"quote":"The ferry leaves at 9:30."},
			   {"source":5,"quote":"The ferry leaves at 10:15."}],"against":[5]}]}`,
		},
		{
			// The question has the words ferry, leave, pier, morning.
			"relevance: by the share of the words",
			`{"task":"relevance","question":"When does the ferry leave the pier in the morning?","passages":[{"id":1,"text":"The ferry leaves the pier each morning."},{"id":2,"text":"The ferry. It leaves."},
			  {"id":3,"text":"A ferry!"},{"id":4,"text":"Whales."},{"id":5,"text":""}]}`,
			`{"items":[{"id":1,"score":3,"quote":"The ferry leaves the pier each morning."},{"id":2,"score":2,"quote":"The ferry."},` +
				`{"id":3,"score":1,"quote":""},{"id":4,"score":0,"quote":""},{"id":5,"score":0,"quote":""}]}`,
		},
		{"equivalence: the second reference",
			`{"task":"equivalence","answer":"It costs 12 dollars.","references":["It costs 15 dollars.","12 dollars"]}`, `{"equivalent":true}`},
		{"equivalence: another number", `{"task":"equivalence","answer":"It costs 12 dollars.","references":["It costs 15 dollars."]}`,
			`{"equivalent":false}`},
		{"equivalence: a negation", `{"task":"equivalence","answer":"Dogs are not welcome.","references":["Dogs are welcome."]}`,
			`{"equivalent":false}`},
		{"equivalence: numbers alone", `{"task":"equivalence","answer":"42","references":["It is 42."]}`, `{"equivalent":true}`},
		{
			"questions", `{"task":"questions","answer":"The ferry leaves at 9. Dogs pay half.","count":3}`,
			`{"items":[{"id":1,"question":"What about ferry leave?","noncommittal":false},{"id":2,"question":"What is known of dog pay half?",` +
				`"noncommittal":false},{"id":3,"question":"Tell me: ferry leave?","noncommittal":false}]}`,
		},
		{"questions: declining", `{"task":"questions","answer":"I do not know.","count":1}`,
			`{"items":[{"id":1,"question":"What about not know?","noncommittal":true}]}`},
		{
			"points", `{"task":"points","question":"q","sources":[{"id":1,"text":"One thing. Another thing."},{"id":2,"text":"A third."}]}`,
			`{"items":[{"id":1,"point":"One thing.","source":1,"quote":"One thing."},{"id":2,"point":"Another thing.",` +
				`"source":1,"quote":"Another thing."},{"id":3,"point":"A third.","source":2,"quote":"A third."}]}`,
		},
		{
			"assign", `{"task":"assign","points":[{"id":1,"point":"Dogs pay half."},{"id":2,"point":"Dogs pay and cats sleep outside."},` +
				`{"id":3,"point":"Whales sing."}],"answer":"Welcome. Dogs pay half."}`,
			`{"items":[{"id":1,"verdict":"support","quote":"Dogs pay half."},{"id":2,"verdict":"partial_support","quote":"Dogs pay half."},` +
				`{"id":3,"verdict":"not_support","quote":""}]}`,
		},
		{
			// dog, pay, half: two of three, times 3 levels above 0, is 2.
			"mark", `{"task":"mark","question":"q","answer":"Dogs pay.","references":["Dogs pay half."],"passages":["Dogs pay half."],` +
				`"rubric":{"dimensions":[{"name":"a","anchors":["0","1","2","3"]},{"name":"b","anchors":["no","yes"]}]}}`,
			`{"items":[{"dimension":"a","level":2,"quote":"Dogs pay."},{"dimension":"b","level":1,"quote":"Dogs pay."}]}`,
		},
		{
			"reference_answer", `{"task":"reference_answer","question":"What do dogs pay?","documents":[{"id":"d1","text":"Whales sing. Dogs pay ` +
				`half."},{"id":"d2","text":"Nothing here."}]}`,
			`{"answer":"Dogs pay half.","documents":["d1"]}`,
		},
		{"reference_answer: nothing", `{"task":"reference_answer","question":"What do dogs pay?","documents":[{"id":"d2",` +
			`"text":"Nothing here."}]}`, `{"answer":"I do not know.","documents":[]}`},
		{
			"new_questions: " +
				"two rounds", `{"task":"new_questions","kind":"single_hop","passages":[{"id":"p1","text":"Dogs pay half. Cats sleep."}],"count":2}`,
			`{"items":[{"id":1,"question":"What about dog pay half?","answer":"Dogs pay half.","passages":["p1"]},{"id":2,"question":"What about ` +
				`cat sleep?","answer":"Cats sleep.","passages":["p1"]}]}`,
		},
		{
			"new_questions: two hops", `{"task":"new_questions","kind":"multi_hop","passages":[{"id":1,"text":"Dogs pay half."},` +
				`{"id":2,"text":"Cats sleep."}],"count":1}`,
			`{"items":[{"id":1,"question":"What about dog pay half and cat sleep?","answer":"Dogs pay half. Cats sleep.","passages":[1,2]}]}`,
		},
		{
			"new_questions: unanswerable", `{"task":"new_questions","kind":"unanswerable","passages":[{"id":1,"text":"Dogs pay half."}],"count":1}`,
			`{"items":[{"id":1,"question":"What about dog pay half in the year 1066?","answer":"","passages":[1]}]}`,
		},
		{"ideal", `{"task":"ideal","question":"q","points":[{"id":1,"point":"Dogs pay."},{"id":2,"point":"Cats sleep."}]}`,
			`{"answer":"Dogs pay. Cats sleep."}`},
	} {
		if d := cmp.Diff(value(t, c.want), answer(t, standInRequest(c.data))); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

func TestStandInErrors(t *testing.T) {
	t.Parallel()
	other := standInRequest(`{"task":"claims"}`)
	other.Messages[0].Text = strings.Replace(other.Messages[0].Text, "</data nonce=\"00", "</data nonce=\"ff", 1)
	for _, c := range []struct {
		r    llm.Request
		want string
	}{
		{standInRequest(`{"task":"dance"}`), `unsupported task "dance"`},
		{standInRequest(`{}`), `unsupported task ""`},
		{standInRequest(`{"task":`), "material: unexpected end"},
		{llm.Request{Operation: "claims"}, `operation "claims": no block of data`},
		{other, "no block of data"},
	} {
		if said, err := model.StandIn(generate.StandIns()).Answer(c.r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, %v, want an error with %q", said, err, c.want)
		}
	}
}

// TestAnswerRepairs answers the question again when the first reply was sent
// back.
func TestStandInRepairs(t *testing.T) {
	t.Parallel()
	r := standInRequest(`{"task":"equivalence","answer":"a dog","references":["a dog"]}`)
	want := answer(t, r)
	r.Messages = append(r.Messages, llm.Message{Role: "assistant", Text: "<data nonce=\"x\">\n{}\n</data nonce=\"x\">"},
		llm.Message{Role: "user", Text: "Once more."})
	if d := cmp.Diff(want, answer(t, r)); d != "" {
		t.Errorf("the repaired reply differs (-first +second):\n%s", d)
	}
}

// TestPartIsRuledAsInTheWhole asks about some of the claims, passages and
// points again: company changes no ruling.
func TestPartIsRuledAsInTheWhole(t *testing.T) {
	t.Parallel()
	words := rapid.SliceOfN(rapid.SampledFrom([]string{"dogs", "pay", "half", "ferry", "leaves", "9", "12", "not", "pier", "the", "渡輪",
		"。", ".", "cats"}), 1, 8)
	prose := rapid.Custom(func(t *rapid.T) string { return strings.Join(words.Draw(t, "words"), " ") })
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(prose, 1, 6).Draw(t, "items")
		sources := rapid.SliceOfN(prose, 1, 4).Draw(t, "sources")
		keep := rapid.IntRange(0, len(texts)-1).Draw(t, "keep")
		for _, task := range []struct{ name, list, text string }{{"support", "claims", "claim"}, {"relevance", "passages", "text"},
			{"assign", "points", "point"}} {
			ask := func(from, to int) []any {
				data := map[string]any{"task": task.name, "question": sources[0], "answer": strings.Join(sources, "\n\n")}
				var in, src []any
				for i := from; i < to; i++ {
					in = append(in, map[string]any{"id": i + 1, task.text: texts[i]})
				}
				for i, s := range sources {
					src = append(src, map[string]any{"id": i + 1, "text": s})
				}
				data["sources"] = src
				data[task.list] = in
				raw, err := json.Marshal(data)
				if err != nil {
					t.Fatalf("%v", err)
				}
				return answer(t, standInRequest(string(raw)))["items"].([]any)
			}
			if d := cmp.Diff(ask(0, len(texts))[keep:keep+1], ask(keep, keep+1)); d != "" {
				t.Fatalf("%s of item %d (-among others +alone):\n%s", task.name, keep+1, d)
			}
		}
	})
}

// FuzzStandIn holds quotes against their sources, whatever the data.
func FuzzStandIn(f *testing.F) {
	for _, seed := range []string{
		`{"task":"support","sources":[{"id":1,"text":"Dogs pay half. Cats do not."}],"claims":[{"id":1,"claim":"Dogs pay."},` +
			`{"id":2,"claim":"Cats pay","sources":[1]}]}`,
		`{"task":"new_questions","kind":"multi_hop","passages":[{"id":1,"text":"Dogs."},{"id":2,"text":""}],"count":3}`,
		`{"task":"mark","rubric":{"dimensions":[{"name":"a"}]}}`, `{"task":"claims","sentences":[{"id":1,"text":"a\u0000b"}]}`,
		`{"task":"questions","count":2}`,
		`{"task":"points","sources":[{"text":"a. b."}]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		if len(data) > 1<<14 {
			return
		}
		said, err := model.StandIn(generate.StandIns()).Answer(standInRequest(data))
		if err != nil {
			return
		}
		var reply struct {
			Items []struct {
				Quotes []struct{ Quote string }
			}
		}
		if err := json.Unmarshal([]byte(said), &reply); err != nil {
			t.Fatalf("%q: %v", said, err)
		}
		var given struct{ Sources []struct{ Text string } }
		if json.Unmarshal([]byte(data), &given) != nil {
			return
		}
		for _, item := range reply.Items {
			for _, q := range item.Quotes {
				found := false
				for _, s := range given.Sources {
					found = found || strings.Contains(s.Text, q.Quote)
				}
				if !found {
					t.Errorf("the quote %q is in no source", q.Quote)
				}
			}
		}
	})
}

// What the built-in pipeline declines with is a refusal to the stand-in, too.
func TestDeclinesOfThePipeline(t *testing.T) {
	t.Parallel()
	for _, said := range rag.Declines() {
		data, err := json.Marshal(map[string]any{"task": "claims", "sentences": []any{map[string]any{"id": 1, "text": said}}})
		if err != nil {
			t.Fatal(err)
		}
		r := llm.Request{Messages: []llm.Message{{Role: "user", Text: "<data nonce=\"n\">\n" + string(data) + "\n</data nonce=\"n\">"}}}
		reply, err := model.StandIn(generate.StandIns()).Answer(r)
		if err != nil || !strings.Contains(reply, `"kind":"abstained"`) {
			t.Errorf("%s: %s, %v", said, reply, err)
		}
	}
}
