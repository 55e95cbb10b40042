//go:build results

package offline

import (
	_ "embed"
	"fmt"
	"strings"
)

var (
	//go:embed testdata/head.md
	headFormat string
	//go:embed testdata/foot.md
	footText string
)

// head says what the page is and how to read it.
func (p *page) head() string {
	r := p.reached
	return fmt.Sprintf(headFormat,
		p.info(), r["mtrag faithfulness"], r["rl_f"], r["RougeL"], r["swapped"], r["swapped ragas"], r["swapped rouge"])
}

// foot says where the method fails, and how to write the page again.
func (p *page) foot() {
	fmt.Fprint(p, strings.Replace(footText, "DECISIONS\n", decisionTable()+"\n", 1))
}
