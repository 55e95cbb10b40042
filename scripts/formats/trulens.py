"""Has TruLens record an app of two functions, and keeps the data frames of its records and of
its events."""

import importlib.metadata
import pathlib
import sys

from trulens.apps.app import TruApp
from trulens.core import Feedback, TruSession
from trulens.core.otel.instrument import instrument
from trulens.otel.semconv.trace import SpanAttributes

out = pathlib.Path(sys.argv[1])
session = TruSession(database_url="sqlite:///trulens.sqlite")
session.reset_database()

class App:
    @instrument(
        span_type=SpanAttributes.SpanType.RETRIEVAL,
        attributes={SpanAttributes.RETRIEVAL.QUERY_TEXT: "query", SpanAttributes.RETRIEVAL.RETRIEVED_CONTEXTS: "return"},
    )
    def retrieve(self, query):
        return ["Kim wrote the whole book alone.", "It came out in 1999."]

    @instrument()
    def query(self, query):
        return "In 1999." if "When" in query else f"Kim, says {self.retrieve(query)[0]}"

length = Feedback(lambda output: min(1.0, len(output) / 20), name="Length").on_output()
app = App()
recorder = TruApp(app, app_name="books", app_version="1", main_method=app.query, feedbacks=[length])
with recorder as recording:
    app.query("Who wrote the book?")
    app.query("When, then?")
session.force_flush()
records = list(session.get_records_and_feedback()[0]["record_id"])
session.wait_for_feedback_results(record_ids=records, feedback_names=["Length"], timeout=60)
frame, _ = session.get_records_and_feedback()
frame.to_csv(out / "records.csv", index=False)
frame.to_json(out / "records.json", orient="records")
frame.to_json(out / "records.jsonl", orient="records", lines=True)
events = session.get_events(app_name="books", app_version=None)
events.to_csv(out / "events.csv", index=False)
events.to_json(out / "events.json", orient="records")
events.to_json(out / "events.jsonl", orient="records", lines=True, date_format="iso")
(out / "versions.txt").write_text("".join(f"{n} {importlib.metadata.version(n)}\n" for n in ["trulens-core", "pandas"]))
