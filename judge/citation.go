package judge

import "context"

// citations holds each sentence of the answer against the passages it cites.
func (a *assessor) citations(ctx context.Context) ([]Cited, error) {
	return nil, &Error{Operation: "support", Message: "citations are not built yet"}
}
