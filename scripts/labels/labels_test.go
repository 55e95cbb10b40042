package labels

import (
	"encoding/json"
	"strings"
	"testing"
)

// Rows of each data set become rows in the common form, or are left out with the reason.
func TestPrepared(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ row, want, unfit string }{
		{`"dataset":"kqa_nuggets","claim":"P.","context":"An answer.","label":"supported"`, `"answer":"An answer.","label":"supported","point":"P."`, ""},
		{`"dataset":"summhay_coverage","claim":"P.","context":"An answer.","label":"partially"`,
			`"answer":"An answer.","label":"partially","point":"P."`, ""},
		{`"dataset":"feedbackqa","question":"Q?","context":"P.","label":"relevant"`, `"label":"relevant","passage":"P.","question":"Q?"`, ""},
		{`"dataset":"sas_equivalence","context":"R","answer":"A","label":"partially_equivalent"`,
			`"answer":"A","label":"partially_equivalent","references":["R"]`, ""},
		{`"dataset":"finegrained_qa","context":"C.","answer":"One sentence.","label":"supported"`,
			`"claim":"One sentence.","contexts":["C."],"label":"supported"`, ""},
		{`"dataset":"finegrained_qa","context":"C.","answer":"One. And two.","label":"supported"`, "", "finegrained_qa: an answer of several"},
		{`"dataset":"begin","contexts":["C."],"answer":"It is so.","labels":{"begin":"Not fully attributable"}`,
			`"claim":"It is so.","contexts":["C."],"label":"not_supported"`, ""},
		{`"dataset":"begin","contexts":["C."],"answer":"It is so.","labels":{"begin":"Generic"}`, "", `begin: labelled "Generic"`},
		{`"dataset":"nq301","question":"Q?","answer":"A","references":["R","S"],"labels":{"acceptable":"Yes","annotators":["No"]}`,
			`"annotators":["No"],"answer":"A","label":"Yes","question":"Q?","references":["R","S"]`, ""},
		{`"dataset":"clapnq-dev","question":"Q?","contexts":["P."],"labels":{"answerable":true}`, `"label":true,"passage":"P.","question":"Q?"`, ""},
		{`"dataset":"clapnq-dev","question":"Q?","contexts":["P.","R."],"labels":{"answerable":true}`, "", "clapnq: several passages"},
		{`"dataset":"nomiracl-en","question":"Q?","contexts":["P.","R."],"labels":{"answerable":false}`,
			`"label":"not_relevant","passage":"P.","question":"Q?"; "label":"not_relevant","passage":"R.","question":"Q?"`, ""},
		{`"dataset":"nomiracl-en","question":"Q?","contexts":["P.","R."],"labels":{"answerable":true}`, "", "nomiracl: one of several"},
		{`"dataset":"mtrag-human","answer":"A.","contexts":["C."],"labels":{"faithfulness":[4]}`, "", "mtrag: grades of a whole answer"},
		{`"dataset":"ragchecker-kiwi","answer1":"A.","answer2":"B."`, "", "ragchecker: a comparison of two answers"},
		{`"dataset":"refchecker-zero_context","answer":"A.","claims":[]`, "", "refchecker: claims whose sources"},
		{`"dataset":"nli","claim":"C.","context":"D.","label":"yes","meta":{"group":"g","phenomenon":["no_negation","antonym","SENT"]}`,
			`"claim":"C.","contexts":["D."],"group":"g","label":"yes","phenomenon":["SENT","words of opposite meaning"]`, ""},
	} {
		var x row
		if err := json.Unmarshal([]byte("{"+c.row+"}"), &x); err != nil {
			t.Fatal(err)
		}
		rows, unfit := prepared(x)
		var got []string
		for _, r := range rows {
			for field, v := range r {
				if list, _ := v.([]string); v == nil || field == "id" || field == "dataset" || field == "phenomenon" && list == nil {
					delete(r, field)
				}
			}
			data, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, strings.Trim(string(data), "{}"))
		}
		if g := strings.Join(got, "; "); g != c.want || !strings.HasPrefix(unfit, c.unfit) || (unfit == "") != (c.unfit == "") {
			t.Errorf("%s:\n%s, unfit %q, want\n%s, unfit %q", c.row, g, unfit, c.want, c.unfit)
		}
	}
}
