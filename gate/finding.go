package gate

import "github.com/assay-eval/assay/internal/message"

// A Finding is a sentence about a run: why a rule did not pass, why a baseline was
// refused, a warning. Its In says it in a language; nil is no finding.
type Finding = *message.Message

// Text is a finding that is the same in every language.
func Text(s string) Finding { return message.Text(s) }
