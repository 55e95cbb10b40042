package telemetry

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
)

// Run starts the span of a run. The returned function ends it with the state of the
// run.
func (t *Tracer) Run(ctx context.Context, id string) (context.Context, func(state string, err error)) {
	if t == nil {
		return ctx, func(string, error) {}
	}
	ctx, span := t.tracer.Start(ctx, "run", trace.WithNewRoot(), trace.WithAttributes(attribute.String("assay.run.id", id)))
	return ctx, func(state string, err error) {
		span.SetAttributes(attribute.String("assay.run.state", state))
		if err != nil {
			span.SetStatus(codes.Error, state)
		}
		span.End()
	}
}

// Record creates the spans of a finished case below the span of its run: one for the
// case with an event per score, one for the call to the target, and one for each
// reported stage. None of them contains texts of cases or answers.
func (t *Tracer) Record(ctx context.Context, r assay.Record) {
	if t == nil {
		return
	}
	begun, ended := r.Started, r.Started
	for _, try := range r.Tries {
		ended = ended.Add(try.Latency + try.Wait)
	}
	asked := ended
	if r.Response != nil {
		ended = ended.Add(r.Response.Latency)
	}
	ctx, span := t.tracer.Start(ctx, "case", trace.WithTimestamp(begun), trace.WithAttributes(
		attribute.String("assay.case.id", r.Case.ID), attribute.Int("assay.case.attempts", r.Attempts),
	))
	if r.Failure != nil {
		span.SetStatus(codes.Error, r.Failure.Kind)
		span.SetAttributes(attribute.String("error.type", r.Failure.Kind))
	}
	if r.Response != nil {
		t.response(ctx, r.Response, asked)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Scores)) {
		s := r.Scores[name]
		about := []attribute.KeyValue{attribute.String("gen_ai.evaluation.name", name), attribute.String("gen_ai.evaluation.score.label",
			s.State.String())}
		if s.State == assay.Scored || s.State == assay.TargetError {
			about = append(about, attribute.Float64("gen_ai.evaluation.score.value", s.Value))
		}
		span.AddEvent("gen_ai.evaluation.result", trace.WithAttributes(about...), trace.WithTimestamp(ended))
	}
	span.End(trace.WithTimestamp(ended))
}

// response creates the spans of the call to the target and of its stages, one after the
// other: a trace has durations but no times.
func (t *Tracer) response(ctx context.Context, r *assay.Response, at time.Time) {
	ctx, span := t.tracer.Start(ctx, "ask", trace.WithTimestamp(at), trace.WithSpanKind(trace.SpanKindClient))
	if r.Trace != nil {
		from := at
		for _, st := range r.Trace.Stages {
			_, stage := t.tracer.Start(ctx, st.Name, trace.WithTimestamp(from), trace.WithAttributes(attribute.String("assay.stage", st.Name)))
			if st.Model != "" {
				stage.SetAttributes(attribute.String("gen_ai.request.model", st.Model))
			}
			if st.SubQuestion > 0 {
				stage.SetAttributes(attribute.Int("assay.stage.sub_question", st.SubQuestion))
			}
			from = from.Add(st.Latency)
			stage.End(trace.WithTimestamp(from))
		}
	}
	span.End(trace.WithTimestamp(at.Add(r.Latency)))
}

// Model adds a span to every model call. A reply from the ledger is not a call.
func (t *Tracer) Model(p llm.Provider) llm.Provider {
	if t == nil {
		return p
	}
	return traced{p, t}
}

type traced struct {
	llm.Provider
	t *Tracer
}

// Complete calls the model within a span.
func (m traced) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	about := []attribute.KeyValue{
		attribute.String("gen_ai.operation.name", "chat"), attribute.String("gen_ai.provider.name", m.Name()),
		attribute.String("gen_ai.request.model", r.Model),
	}
	if r.MaxTokens > 0 {
		about = append(about, attribute.Int("gen_ai.request.max_tokens", r.MaxTokens))
	}
	if r.Temperature != nil {
		about = append(about, attribute.Float64("gen_ai.request.temperature", *r.Temperature))
	}
	if r.Operation != "" {
		about = append(about, attribute.String("assay.operation", r.Operation))
	}
	ctx, span := m.t.tracer.Start(ctx, "chat "+r.Model, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(about...))
	defer span.End()
	reply, err := m.Provider.Complete(ctx, r)
	if err != nil {
		// its text may repeat the request
		span.SetStatus(codes.Error, "call failed")
		return reply, err
	}
	span.SetAttributes(
		attribute.String("gen_ai.response.model", cmp.Or(reply.Model, r.Model)),
		attribute.StringSlice("gen_ai.response.finish_reasons", []string{cmp.Or(reply.Stop, "end")}),
		attribute.Int("gen_ai.usage.input_tokens", reply.Usage.Input), attribute.Int("gen_ai.usage.output_tokens", reply.Usage.Output),
	)
	return reply, nil
}
