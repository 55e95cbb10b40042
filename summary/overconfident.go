package summary

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// tolerated is the share of overturned rulings from which the confidence of a judge is called
// into question.
const tolerated = 0.01

// Overconfident warns of a judge that decides in one pass where it is sure, if more of the
// rulings that were checked nevertheless were overturned than chance explains at one in a
// hundred. It returns no warning or one.
func Overconfident(j *assay.JudgeInfo, spent assay.Spending) []string {
	if !j.SparesSure() || stats.ClopperPearson(spent.Overturned, spent.Rechecked, 0.9).Lo <= tolerated {
		return nil
	}
	return []string{fmt.Sprintf("the judge is less sure than it says: further passes overturned %d of %d rulings that it was sure of (%.1f %%), "+
		"and the other sure rulings were not checked: with --set recheck=all every ruling is put to a vote",
		spent.Overturned, spent.Rechecked, 100*float64(spent.Overturned)/float64(spent.Rechecked))}
}
