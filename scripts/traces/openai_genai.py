"""The client of OpenAI, traced by opentelemetry-instrumentation-openai-v2 with contents.

The program adds spans of its own by the GenAI conventions: invoke_agent around a
question, and retrieval around a search. The documents of the latter have, as the
conventions say, an id and a score; their texts are in the prompt alone.
"""

import contextlib
import json
import os

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "span_only"

import ferry
import openai_client
import otlp
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor

provider = otlp.provider()
tracer = provider.get_tracer("ferry")


@contextlib.contextmanager
def question_span(question):
    named = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "ferry-assistant"}
    with tracer.start_as_current_span("invoke_agent ferry-assistant", attributes=named):
        yield


@contextlib.contextmanager
def search_span(question):
    named = {
        "gen_ai.operation.name": "retrieval",
        "gen_ai.data_source.id": "ferries",
        "gen_ai.retrieval.query.text": question,
    }
    with tracer.start_as_current_span("retrieval ferries", attributes=named) as span:
        yield lambda best: span.set_attribute(
            "gen_ai.retrieval.documents", json.dumps([{"id": p["id"], "score": score} for score, p in best])
        )


expected = ferry.Expected()
openai_client.ask_all(
    expected,
    lambda: OpenAIInstrumentor().instrument(tracer_provider=provider),
    provider.force_flush,
    question_span,
    search_span,
)
expected.write()
provider.shutdown()
