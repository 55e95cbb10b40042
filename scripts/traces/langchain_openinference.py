"""LangChain, traced by openinference-instrumentation-langchain."""

import ferry
import langchain_chain
import otlp
from openinference.instrumentation.langchain import LangChainInstrumentor

chain = langchain_chain.chain()
provider = otlp.provider()
LangChainInstrumentor().instrument(tracer_provider=provider)
expected = ferry.Expected()
langchain_chain.ask_all(chain, expected, provider.force_flush)
expected.write()
provider.shutdown()
