package dataset

import (
	"fmt"

	"github.com/goccy/go-yaml/token"
)

const (
	// maxNames bounds the names in one map of YAML, maxTokens what stands in
	// one line.
	maxNames  = 1_000
	maxTokens = 20_000
)

// yamlGuard refuses texts on which the parser would take time that grows with
// the square of their size: deep nesting, maps of very many names, and lines of
// very many tokens. The tokens themselves cost little. Levels are told
// by columns and brackets, which is what most of them are.
type yamlGuard struct {
	name   string
	levels []yamlLevel
	line   int
	tokens int
}

// yamlLevel is a list or a map that is open.
type yamlLevel struct {
	// flow is set between brackets; else column is where the entries begin.
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

// at gives the level whose entries begin in the column, which it opens if it
// must; between brackets columns mean nothing.
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
