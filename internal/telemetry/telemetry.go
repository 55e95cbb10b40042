// Package telemetry creates spans and sends them by OTLP to the configured collector,
// by default nowhere. Attribute names follow OpenTelemetry's conventions for HTTP and,
// in version 1.41, for generative AI.
package telemetry

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Endpoint is the standard environment variable for the address of the collector.
const Endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT"

// A Tracer creates spans. A nil Tracer creates none and costs nothing. It is safe for
// concurrent use.
type Tracer struct {
	tracer   trace.Tracer
	provider *sdk.TracerProvider
}

// Open returns a tracer that sends to the collector at an address such as
// "http://127.0.0.1:4318", at its path /v1/traces; nil if the address is "". It sends
// nothing yet, so an unreachable collector is not an error.
func Open(ctx context.Context, endpoint, version string) (*Tracer, error) {
	if endpoint == "" {
		return nil, nil
	}
	if !strings.HasPrefix(endpoint, "http://") && !strings.HasPrefix(endpoint, "https://") {
		return nil, fmt.Errorf("%s %q: want an address such as http://127.0.0.1:4318", Endpoint, endpoint)
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(strings.TrimRight(endpoint, "/")+"/v1/traces"))
	if err != nil {
		return nil, fmt.Errorf("%s %q: %w", Endpoint, endpoint, err)
	}
	p := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(resource.NewSchemaless(
		attribute.String("service.name", "assay"), attribute.String("service.version", version),
	)))
	return &Tracer{tracer: p.Tracer("github.com/assay-eval/assay"), provider: p}, nil
}

// Close sends the remaining spans.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// Request starts the span of a request, as a child of the client's span if the request
// has one. The returned function ends it with the route and the status.
func (t *Tracer) Request(r *http.Request) (context.Context, func(route string, status int)) {
	if t == nil {
		return r.Context(), func(string, int) {}
	}
	ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, span := t.tracer.Start(ctx, r.Method, trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.request.method", r.Method)))
	return ctx, func(route string, status int) {
		span.SetName(r.Method + " " + route)
		span.SetAttributes(attribute.String("http.route", route), attribute.Int("http.response.status_code", status))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, http.StatusText(status))
		}
		span.End()
	}
}
