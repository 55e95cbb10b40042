"""LangChain, traced by opentelemetry-instrumentation-langchain (OpenLLMetry) with contents."""

import os

os.environ["TRACELOOP_TRACE_CONTENT"] = "true"

import ferry
import langchain_chain
import otlp
from opentelemetry.instrumentation.langchain import LangchainInstrumentor

chain = langchain_chain.chain()
provider = otlp.provider()
LangchainInstrumentor().instrument(tracer_provider=provider)
expected = ferry.Expected()
langchain_chain.ask_all(chain, expected, provider.force_flush)
expected.write()
provider.shutdown()
