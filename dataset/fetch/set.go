// Package fetch fetches published datasets: from the address where they are published, from a
// mirror, or from a folder, with their checksum, and from where an earlier try stopped.
package fetch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// A Set is a dataset of BEIR that is published as one zip archive.
type Set struct {
	Name, Title string
	// MD5 is the published checksum of the archive, in hexadecimal digits.
	MD5 string
	// Queries are those of the split "test" (of "dev" for msmarco), Documents those of the
	// corpus; both as published, rounded.
	Queries, Documents string
}

// published is the folder in which BEIR publishes its archives.
const published = "https://public.ukp.informatik.tu-darmstadt.de/thakur/BEIR/datasets"

// Sets lists the datasets that are known by name. Names, checksums and sizes are those of
// BEIR's README, 2026. What has another form than one archive of one dataset is missing.
var Sets = []Set{
	{"msmarco", "MS MARCO passages", "444067daf65d982533ea17ebd59501e4", "6,980", "8.84 million"},
	{"trec-covid", "TREC-COVID", "ce62140cb23feb9becf6270d0d1fe6d1", "50", "171,000"},
	{"nfcorpus", "NFCorpus, medicine and nutrition", "a89dba18a62ef92f7d323ec890a0d38d", "323", "3,600"},
	{"nq", "Natural Questions", "d4d3d2e48787a744b6f6e691ff534307", "3,452", "2.68 million"},
	{"hotpotqa", "HotpotQA, questions in several steps", "f412724f78b0d91183a0e86805e16114", "7,405", "5.23 million"},
	{"fiqa", "FiQA, finance", "17918ed23cd04fb15047f73e6c3bd9d9", "648", "57,000"},
	{"arguana", "ArguAna, counterarguments", "8ad3e3c2a5867cdced806d6503f29b99", "1,406", "8,670"},
	{"webis-touche2020", "Touché 2020, arguments", "46f650ba5a527fc69e0a6521c5a23563", "49", "382,000"},
	{"quora", "Quora, equal questions", "18fb154900ba42a600f84b839c173167", "10,000", "523,000"},
	{"dbpedia-entity", "DBpedia, entities", "c2a39eb420a3164af735795df012ac2c", "400", "4.63 million"},
	{"scidocs", "SciDocs, citations", "38121350fc3a4d2f48850f6aff52e4a9", "1,000", "25,000"},
	{"fever", "FEVER, claims", "5a818580227bfb4b35bb6fa46d9b6c03", "6,666", "5.42 million"},
	{"climate-fever", "Climate-FEVER, claims about the climate", "8b66f0a9126c521bae2bde127b4dc99d", "1,535", "5.42 million"},
	{"scifact", "SciFact, scientific claims", "5f7d1de60b170fc8027bb7898e2efca1", "300", "5,000"},
}

// Find returns the set of a name. The error suggests one that is spelled alike.
func Find(name string) (Set, error) {
	i := slices.IndexFunc(Sets, func(s Set) bool { return s.Name == name })
	if i >= 0 {
		return Sets[i], nil
	}
	var names []string
	for _, s := range Sets {
		names = append(names, s.Name)
	}
	near := text.Nearest(name, names)
	if near != "" {
		near = fmt.Sprintf(": did you mean %q?", near)
	}
	return Set{}, fmt.Errorf("unknown dataset %q%s  (known: %s; any other needs --from)", name, near, strings.Join(names, ", "))
}
