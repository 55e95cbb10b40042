"""The client of OpenAI, traced by openinference-instrumentation-openai.

Each span is a line of its own. The spans of one question are separate traces, for
nothing encloses them.
"""

import ferry
import openai_client
import otlp
from openinference.instrumentation.openai import OpenAIInstrumentor

provider = otlp.provider(single=True)
expected = ferry.Expected()
openai_client.ask_all(expected, lambda: OpenAIInstrumentor().instrument(tracer_provider=provider))
expected.write()
provider.shutdown()
