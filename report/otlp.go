package report

import (
	"encoding/json"
	"io"
	"strconv"
)

var otlpFormat = Format{
	Name: "otlp", Ext: ".otlp.jsonl", Media: "application/x-ndjson",
	Doc:   "evaluation events of OpenTelemetry, a request a line (POST /v1/logs)",
	Write: OTLP,
}

// OTLP writes the scores of cases that were made of traces as events of OpenTelemetry's GenAI
// conventions (gen_ai.evaluation.result, 1.40): a request of OTLP for logs a line. A score
// without a value has its state as label.
func OTLP(w io.Writer, r *Report, _ Options) error {
	return writeScores(w, r, "", "\n", "\n", func(t tracedScore) ([]byte, error) {
		type m = map[string]any
		text := func(key, value string) m { return m{"key": key, "value": m{"stringValue": value}} }
		attributes := []m{
			text("gen_ai.evaluation.name", t.metric.Name), text("gen_ai.evaluation.score.label", t.score.State.String()),
			text("assay.run.id", r.Header.ID),
		}
		if value, ok := t.value(); ok {
			attributes = append(attributes, m{"key": "gen_ai.evaluation.score.value", "value": m{"doubleValue": value}})
		}
		if t.score.Reason != "" {
			attributes = append(attributes, text("gen_ai.evaluation.explanation", t.score.Reason))
		}
		event := m{
			"eventName": "gen_ai.evaluation.result", "timeUnixNano": strconv.FormatInt(r.Header.Finished.UnixNano(), 10), "traceId": t.trace,
			"attributes": attributes,
		}
		if t.span != "" {
			event["spanId"] = t.span
		}
		scope := m{"scope": m{"name": "assay", "version": r.Header.Version}, "logRecords": []m{event}}
		service := m{"attributes": []m{text("service.name", "assay")}}
		return json.Marshal(m{"resourceLogs": []m{{"resource": service, "scopeLogs": []m{scope}}}})
	})
}
