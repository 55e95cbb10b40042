"""LangChain, traced by Langfuse's callback handler; what its exporter sends is recorded.

Langfuse sends OTLP as protobuf, which is written here as OTLP JSON.
"""

import ferry
import langchain_chain
import otlp
from langfuse import Langfuse
from langfuse.langchain import CallbackHandler
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from recorder import Recorder

recorder = Recorder(lambda path, body: b"" if "otel" in path else {})
client = Langfuse(public_key="pk-none", secret_key="sk-none", base_url=recorder.address)
chain = langchain_chain.chain().with_config(callbacks=[CallbackHandler()])
expected = ferry.Expected()
langchain_chain.ask_all(chain, expected, client.flush)
expected.write()
client.shutdown()
with open(ferry.folder() / "traces.jsonl", "w", encoding="utf-8") as f:
    for path, body in recorder.requests:
        if path.endswith("/v1/traces"):
            f.write(otlp.line(ExportTraceServiceRequest.FromString(body)) + "\n")
recorder.close()
