package report

import "io"

// GateJSON writes what a gate came to: the member "gate" of the report's JSON,
// or null.
func GateJSON(w io.Writer, r *Report, _ Options) error { return encode(w, newGateJSON(r.Gate)) }
