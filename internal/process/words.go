package process

import (
	"fmt"
	"runtime"
	"strings"

	shellquote "github.com/kballard/go-shellquote"
)

// Words splits a command line into a program and its arguments, quoted as for a shell, of
// which nothing is expanded. On Windows a backslash is a part of a path, unless a double
// quote follows, as programs there have it; elsewhere it quotes what follows.
func Words(line string) ([]string, error) { return wordsOn(runtime.GOOS, line) }

func wordsOn(system, line string) ([]string, error) {
	plain := line
	if system == "windows" {
		plain = keepBackslashes(line)
	}
	words, err := shellquote.Split(plain)
	if err != nil || len(words) == 0 {
		return nil, fmt.Errorf("command %q: expected a program and its arguments, quoted as for a shell", line)
	}
	return words, nil
}

// keepBackslashes quotes the backslashes of a command line, except before a double quote
// and between single quotes, where they quote nothing anyway.
func keepBackslashes(line string) string {
	var b strings.Builder
	var quote byte
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && quote != '\'' && i+1 < len(line) && line[i+1] == '"':
			b.WriteByte(c)
			i++
		case c == '\\' && quote != '\'':
			b.WriteByte(c)
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == quote:
			quote = 0
		}
		b.WriteByte(line[i])
	}
	return b.String()
}
