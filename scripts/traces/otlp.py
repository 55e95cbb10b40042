"""Exports spans to a file in OTLP JSON, one ExportTraceServiceRequest a line."""

import base64
import json

import ferry
from google.protobuf.json_format import MessageToDict, ParseDict
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor, SpanExporter, SpanExportResult


def change_identities(tree, change):
    for resource in tree.get("resourceSpans", []):
        for scope in resource.get("scopeSpans", []):
            for span in scope.get("spans", []):
                for holder in [span, *span.get("links", [])]:
                    for name in ("traceId", "spanId", "parentSpanId"):
                        if name in holder:
                            holder[name] = change(holder[name])


def line(request):
    """An ExportTraceServiceRequest (protobuf) as OTLP JSON.

    The mapping of protobuf to JSON, but for what OTLP demands: identities of traces
    and spans in hexadecimal, and enums as integers.
    """
    tree = MessageToDict(request, use_integers_for_enums=True)
    change_identities(tree, lambda identity: base64.b64decode(identity).hex())
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":"))


def request(text):
    """The ExportTraceServiceRequest of a line, which undoes line."""
    tree = json.loads(text)
    change_identities(tree, lambda identity: base64.b64encode(bytes.fromhex(identity)).decode())
    return ParseDict(tree, ExportTraceServiceRequest())


class FileExporter(SpanExporter):
    """Appends one line for each export."""

    def __init__(self, path):
        self.file = open(path, "w", encoding="utf-8")

    def export(self, spans):
        self.file.write(line(encode_spans(spans)) + "\n")
        self.file.flush()
        return SpanExportResult.SUCCESS

    def shutdown(self):
        self.file.close()


def provider(single=False):
    """A tracer provider, also the global one, that writes traces.jsonl.

    Each force_flush writes what ended since the last as one line; with single each
    span is a line of its own, which is what a collector may do to a trace as well.
    """
    made = TracerProvider(resource=Resource.create({"service.name": "ferry-assistant"}))
    exporter = FileExporter(ferry.folder() / "traces.jsonl")
    # The delay is longer than any run, so that only a flush ends a line.
    made.add_span_processor(
        SimpleSpanProcessor(exporter) if single else BatchSpanProcessor(exporter, schedule_delay_millis=600_000)
    )
    trace.set_tracer_provider(made)
    return made
