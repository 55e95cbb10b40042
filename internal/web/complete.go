package web

import (
	"net/http"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/query"
)

// completionsShown is the number of completions that are offered at most.
const completionsShown = 12

// complete is the list of the ways in which a filter that is being typed can go on: a part
// of a page for the script of the box.
func (p *Pages) complete(r *request, one Run) (view, error) {
	list, err := p.cfg.Backend.Cases(r.Context(), one.Header, query.Query{}, query.Order{})
	if err != nil {
		return view{}, err
	}
	typed := r.values.Get("q")
	from, words := query.Complete(typed, list.Vocabulary())
	// An empty word could go on in every way.
	if strings.TrimSpace(typed[from:]) == "" {
		words = nil
	}
	data := struct{ Options []option }{}
	for _, w := range slices.Compact(words[:min(len(words), completionsShown)]) {
		data.Options = append(data.Options, option{Value: typed[:from] + w, Text: w})
	}
	return view{Template: "complete", Data: data}, nil
}

// completeAlone answers with the list alone.
func (p *Pages) completeAlone() http.Handler {
	page := p.ofRun(p.complete)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set(partHeader, "options")
		page.ServeHTTP(w, r)
	})
}
