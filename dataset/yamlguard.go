package dataset

import (
	"fmt"

	"github.com/goccy/go-yaml/token"
)

const (
	// maxNames bounds the names in one YAML map, maxTokens the tokens in one
	// line.
	maxNames  = 1_000
	maxTokens = 20_000
)

// yamlGuard rejects texts for which the parser would take quadratic time: deep
// nesting, maps with very many names, and lines with very many tokens. It only
// tokenizes the text, which is cheap, and estimates levels from columns and
// brackets.
type yamlGuard struct {
	name   string
	levels []yamlLevel
	line   int
	tokens int
}

// A yamlLevel is an open list or map.
type yamlLevel struct {
	// flow is set between brackets; otherwise column is where the entries start.
	flow   bool
	column int
	names  int
}

func (g *yamlGuard) check(tokens token.Tokens) error {
	for i, t := range tokens {
		if t.Position.Line != g.line {
			g.line, g.tokens = t.Position.Line, 0
		}
		if g.tokens++; g.tokens > maxTokens {
			return g.bad(fmt.Sprintf("more than %d values in one line", maxTokens))
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			g.levels = append(g.levels, yamlLevel{flow: true})
		case token.SequenceEndType, token.MappingEndType:
			if n := len(g.levels); n > 0 && g.levels[n-1].flow {
				g.levels = g.levels[:n-1]
			}
		case token.SequenceEntryType:
			g.at(t.Position.Column)
		case token.MappingValueType:
			column := t.Position.Column
			if i > 0 {
				column = tokens[i-1].Position.Column
			}
			level := g.at(column)
			if level.names++; level.names > maxNames {
				return g.bad(fmt.Sprintf("more than %d names in one map", maxNames))
			}
		}
		if len(g.levels) > maxDepth {
			return g.bad(fmt.Sprintf("values nested more than %d deep", maxDepth))
		}
	}
	return nil
}

// at returns the level whose entries start in the column, and opens it if
// necessary; between brackets columns have no meaning.
func (g *yamlGuard) at(column int) *yamlLevel {
	for n := len(g.levels); n > 0 && !g.levels[n-1].flow && g.levels[n-1].column > column; n-- {
		g.levels = g.levels[:n-1]
	}
	if n := len(g.levels); n == 0 || !g.levels[n-1].flow && g.levels[n-1].column < column {
		g.levels = append(g.levels, yamlLevel{column: column})
	}
	return &g.levels[len(g.levels)-1]
}

func (g *yamlGuard) bad(problem string) error {
	return &Error{File: g.name, Line: g.line, Index: -1, Problem: problem, Want: "JSON or JSON Lines for such data"}
}
