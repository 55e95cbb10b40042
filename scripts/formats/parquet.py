"""Writes the Parquet files of the tests: by pyarrow in each compression and version of
pages, by pandas, by DuckDB, and by datasets in the shapes of Hugging Face."""

import importlib.metadata
import pathlib
import sys

import datasets
import duckdb
import pandas
import pyarrow.parquet

sys.path.append(str(pathlib.Path(__file__).parent))
from table import native

out = pathlib.Path(sys.argv[1])

for codec in ["none", "snappy", "gzip", "zstd"]:
    pyarrow.parquet.write_table(native, out / f"native-{codec}.parquet", compression=codec)
pyarrow.parquet.write_table(native, out / "native-v2.parquet", data_page_version="2.0", compression="zstd", row_group_size=2)
pyarrow.parquet.write_table(native, out / "native-plain.parquet", use_dictionary=False, version="1.0", use_deprecated_int96_timestamps=True)
pyarrow.parquet.write_table(
    native.select(["id", "question", "count"]), out / "delta.parquet", use_dictionary=False, data_page_version="2.0",
    column_encoding={"id": "DELTA_BYTE_ARRAY", "question": "DELTA_LENGTH_BYTE_ARRAY", "count": "DELTA_BINARY_PACKED"},
)
pyarrow.parquet.write_table(native.select(["question"]), out / "lz4.parquet", compression="lz4")

# A data frame: missing numbers are NaN, and ids that are missing somewhere are floats.
frame = pandas.DataFrame(
    {
        "Query": ["Who?", "When?"],
        "ground_truth": ["Kim", None],
        "expected_contexts": ['["a.md", "b.md"]', "c.md; d.md"],
        "score": [0.5, None],
        "year": [1999, 2001],
    }
)
frame.to_parquet(out / "frame.parquet")

duckdb.sql("copy (select * from (values ('Who?', ['Kim', 'Lee']), ('When?', null)) t(question, ground_truth)) "
           f"to '{out / 'duckdb.parquet'}' (format parquet)")

datasets.Dataset.from_list(
    [
        {
            "id": "56be85543aeaaa14008c9063", "title": "Beyoncé",
            "context": "Beyoncé rose to fame in the late 1990s as the lead singer of Destiny's Child.",
            "question": "When did she rise to fame?",
            "answers": {"text": ["the late 1990s", "in the late 1990s", "the late 1990s"], "answer_start": [24, 21, 24]},
        },
        {
            "id": "5a7db48670df9f001a87505f", "title": "Normans", "context": "The Normans gave their name to Normandy, a region in France.",
            "question": "Who gave their name to Norway?", "answers": {"text": [], "answer_start": []},
        },
    ]
).to_parquet(out / "squad.parquet")
datasets.Dataset.from_list(
    [
        {
            "question": "Who?", "contexts": ["Kim wrote the whole book alone.", "Lee drew all of the pictures."],
            "answers": {"text": ["Kim"], "answer_start": [0]},
        },
        {"question": "When?", "contexts": [], "answers": {"text": ["1999"], "answer_start": [7]}},
    ]
).to_parquet(out / "contexts.parquet")
datasets.Dataset.from_list(
    [
        {"user_input": "Who?", "retrieved_contexts": ["one", "two"], "response": "Kim.", "reference": "Kim", "faithfulness": 0.5},
        {"user_input": "When?", "retrieved_contexts": [], "response": "", "reference": None, "faithfulness": None},
    ]
).to_parquet(out / "ragas.parquet")

(out / "versions.txt").write_text(
    "".join(f"{name} {importlib.metadata.version(name)}\n" for name in ["pyarrow", "pandas", "datasets", "duckdb"])
)
