// Package telemetry makes spans of what goes on, and sends them by OTLP to where
// the configuration says: nothing by default. Names of attributes are those of
// OpenTelemetry's conventions for HTTP and, in their version 1.41, for
// generative AI.
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

// Endpoint is the environment variable that names the collector, as all programs
// that speak OTLP have it.
const Endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT"

// A Tracer makes spans. A nil Tracer makes none and costs nothing. It is safe for
// concurrent use.
type Tracer struct {
	tracer   trace.Tracer
	provider *sdk.TracerProvider
}

// Open makes a tracer that sends to the collector at an address such as
// "http://127.0.0.1:4318", to its path /v1/traces. It is nil when the address is
// "". Nothing is sent yet, so that a collector that is away is no error.
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

// Close sends what is left.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// Request begins the span of a request, which continues that of the client when
// it sent one. The span ends when the function that is returned is called with
// the route and the status.
func (t *Tracer) Request(r *http.Request) (context.Context, func(route string, status int)) {
	if t == nil {
		return r.Context(), func(string, int) {}
	}
	ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, span := t.tracer.Start(ctx, r.Method, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(attribute.String("http.request.method", r.Method)))
	return ctx, func(route string, status int) {
		span.SetName(r.Method + " " + route)
		span.SetAttributes(attribute.String("http.route", route), attribute.Int("http.response.status_code", status))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, http.StatusText(status))
		}
		span.End()
	}
}
