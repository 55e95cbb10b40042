//go:build results

package offline

import "fmt"

// head writes what the page is and how to read it.
func (p *page) head() string {
	r := p.reached
	return fmt.Sprintf(`# The offline judge against people

This page is written by the command at its end; CI runs it too and fails when a figure differs from this page by more than 0.005.
The judge is %s.
The data are described in the shared folder that `+"`ASSAY_SHARED`"+` names; their hashes are the first digits of the SHA-256 of the files.

How to read it:

- Every figure is of the **test half** of the data, which no weight was fitted to, unless it says otherwise. A row's half is decided by a hash of its question, in MT-RAG of its conversation. `+"`bash scripts/offline/train.sh CACHE`"+` fits the weights to the other half.
- Spearman is the rank correlation with people, 0 by chance. AUROC is the probability that an item that people accept scores above one that they do not; 0.5 is chance, as for balanced accuracy.
- Intervals resample whole questions (percentile bootstrap, 2,000 resamples, seed 1). Where they overlap much, do not read a difference.
- RAGAS, BERTScore, ROUGE-L, GPT-4 and the other models are as recorded in the datasets, not run here.
- The halves are of the same datasets. On texts of another kind expect less: an estimate is fit for trends of one system and for choosing what to look at, not for absolute quality, not across languages, and not for conviction of a single answer.

In short:

- Faithfulness on MT-RAG, test half: %.3f (RAGAS %.3f, ROUGE-L %.3f on the same answers). On all 477 answers, each scored by weights that have not seen it: %.3f (RAGAS %.3f, ROUGE-L %.3f). The intervals below tell how much of that is chance.
- Most of it is the overlap of words; the embeddings add little to faithfulness and much to relevance.
- Completeness against a reference is no better than ROUGE-L on MT-RAG; on the pairs of RAGChecker it follows people better than length does.
- Relevance in Chinese is near chance.

This page was seen once before the rules for missing names and for negations took their form, which was chosen on the training half.
`, p.info(), r["mtrag faithfulness"], r["rl_f"], r["RougeL"], r["swapped"], r["swapped ragas"], r["swapped rouge"])
}

// foot says where the method fails, and how to write the page again.
func (p *page) foot() {
	fmt.Fprint(p, `
## Where it fails

- **Meaning.** It compares wording. A false sentence made of the passages' words looks supported: see "Subtle errors". A number or a negation that differs is looked for by rule; so is a name that no passage has. A name swapped with another of the passages, a cause turned into its effect, a "may" turned into "will" mostly pass.
- **Free paraphrase** looks unsupported, and so does a right inference.
- **Chinese, and every script that MiniLM was not made for**: words alone are compared, with characters in pairs and the commonest traditional and simplified forms taken as one. Whether retrieved passages hold an answer is then told apart little better than by chance. Faithfulness in Chinese was not measured: there are no ratings.
- **Related passages without an answer.** All passages of NoMIRACL were retrieved for their question; near ones without an answer and those with one look much alike.
- **Completeness** is recall of the reference's words. It does not see that another answer is as good, and people's ratings follow other things too.
- **Rubrics** are not marked at all: the judge refuses.

## Write this page again

`+"```"+`
go test -tags results -timeout 30m -count=1 -run TestResults ./judge/offline -update
`+"```"+`
`)
}
