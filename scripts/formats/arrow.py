"""Writes the files of Arrow of the tests: by pyarrow in each form and compression, and by
datasets as it saves and caches them."""

import datetime
import decimal
import importlib.metadata
import pathlib
import shutil
import sys
import uuid

import datasets
import pyarrow
import pyarrow.feather

sys.path.append(str(pathlib.Path(__file__).parent))
from table import native

out = pathlib.Path(sys.argv[1])

def write(table, name, is_file=True, rows=None, **options):
    options = pyarrow.ipc.IpcWriteOptions(**options)
    new = pyarrow.ipc.new_file if is_file else pyarrow.ipc.new_stream
    with new(out / name, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=rows)

write(native, "native-none.arrow")
write(native, "native-lz4.arrow", compression="lz4")
write(native, "native-zstd.arrow", compression="zstd")
write(native, "native-stream.arrow", is_file=False, rows=2)
pyarrow.feather.write_feather(native, out / "native.feather")
pyarrow.feather.write_feather(native.select(["id", "question"]), out / "version-1.feather", version=1)

# Types that Parquet does not tell apart, or does not have.
text, names = "a text that is longer than twelve bytes", ["short", "and one that is longer than twelve"]
types = pyarrow.table(
    {
        "question": pyarrow.array(["Who?", text, "Why?"], pyarrow.string_view()),
        "fixed": pyarrow.array([[1, 2], None, [3, None]], pyarrow.list_(pyarrow.int16(), 2)),
        "large": pyarrow.array([names, [], None], pyarrow.large_list(pyarrow.large_string())),
        "view": pyarrow.array([names, [], None], pyarrow.list_view(pyarrow.string_view())),
        "coded": pyarrow.array(["x", None, "y"]).dictionary_encode(),
        "half": pyarrow.array([0.5, None, -2], pyarrow.float16()),
        "whole": pyarrow.array([2**53 + 1, None, -1], pyarrow.int64()),
        "wide": pyarrow.array([decimal.Decimal("123.450"), None, decimal.Decimal("-0.001")], pyarrow.decimal256(50, 3)),
        "narrow": pyarrow.array([decimal.Decimal("1.5"), None, decimal.Decimal("-2.5")], pyarrow.decimal32(5, 1)),
        "day": pyarrow.array([datetime.date(2026, 1, 15), None, datetime.date(1969, 12, 31)], pyarrow.date64()),
        "of_day": pyarrow.array([datetime.time(23, 59, 58), None, None], pyarrow.time32("s")),
        "moment": pyarrow.array([datetime.datetime(2026, 1, 15, 12), None, None], pyarrow.timestamp("s")),
        "span": pyarrow.array([datetime.timedelta(seconds=5), None, None], pyarrow.duration("ms")),
        "uuid": pyarrow.array([uuid.UUID(int=1).bytes, None, None], pyarrow.uuid()),
        "by_number": pyarrow.array([[(1, "a")], None, []], pyarrow.map_(pyarrow.int64(), pyarrow.string())),
        "by_truth": pyarrow.array([[(True, "a")], None, []], pyarrow.map_(pyarrow.bool_(), pyarrow.string())),
        "either": pyarrow.UnionArray.from_sparse(
            pyarrow.array([0, 1, 0], pyarrow.int8()), [pyarrow.array([1, 2, 3]), pyarrow.array(["a", "b", "c"])]
        ),
        "runs": pyarrow.RunEndEncodedArray.from_arrays(pyarrow.array([2, 3], pyarrow.int32()), pyarrow.array(["p", "q"])),
    }
)
write(types, "types.arrow", is_file=False)

# A dictionary that grows from batch to batch.
schema = pyarrow.schema([("question", pyarrow.dictionary(pyarrow.int8(), pyarrow.string()))])
with pyarrow.ipc.new_stream(out / "delta.arrow", schema, options=pyarrow.ipc.IpcWriteOptions(emit_dictionary_deltas=True)) as writer:
    for words in [["Who?", "When?"], ["Who?", "When?", "Why?"]]:
        column = pyarrow.DictionaryArray.from_arrays(pyarrow.array(range(len(words)), pyarrow.int8()), words)
        writer.write_batch(pyarrow.record_batch([column], schema=schema))

def saved(questions):
    return datasets.Dataset.from_list(
        [{"user_input": q, "retrieved_contexts": [f"About {q}"], "response": f"{q} It is so.", "reference": None} for q in questions]
    )

for name in ["saved", "splits", "cache"]:
    shutil.rmtree(out / name, ignore_errors=True)
saved(["Who?", "When?", "Why?"]).save_to_disk(out / "saved", num_shards=2)
datasets.DatasetDict({"train": saved(["Who?"]), "test": saved(["When?", "Why?"]).select([1])}).save_to_disk(out / "splits")

lines = pathlib.Path("lines.jsonl")
one = '{"question": "%s", "answers": {"text": ["%s"], "answer_start": [0]}}\n'
lines.write_text("".join(one % (q, q) for q in ["Who?", "When?", "Why?"]))
kept = datasets.load_dataset("json", data_files={"train": str(lines), "validation": str(lines)}, cache_dir="cache", num_proc=None)
(out / "cache").mkdir()
for file in pathlib.Path(kept["train"].cache_files[0]["filename"]).parent.iterdir():
    if file.suffix in [".arrow", ".json"]:
        shutil.copy(file, out / "cache")

(out / "versions.txt").write_text("".join(f"{name} {importlib.metadata.version(name)}\n" for name in ["pyarrow", "datasets"]))
