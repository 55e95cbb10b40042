"""The table of every type of value that the tests of Parquet and Arrow read."""

import datetime
import decimal

import pyarrow

native = pyarrow.table(
    {
        "id": ["a", "b", "c"],
        "question": ["Who wrote it?", "When?", "Où est-ce? 在哪裡？"],
        "ground_truth": pyarrow.array([["Kim", "Kim Lee"], ["1999"], None], pyarrow.list_(pyarrow.string())),
        "expected_contexts": pyarrow.array(
            [[{"id": "a.md", "grade": 2}], [], None],
            pyarrow.list_(pyarrow.struct([("id", pyarrow.string()), ("grade", pyarrow.int8())])),
        ),
        "expected_keywords": pyarrow.array([["Kim"], None, ["là|ici"]], pyarrow.list_(pyarrow.large_string())),
        "answerable": pyarrow.array([True, None, False]),
        "critical": [False, True, False],
        "tags": pyarrow.array([["x", "y"], [], ["x"]], pyarrow.list_(pyarrow.dictionary(pyarrow.int32(), pyarrow.string()))),
        "metadata": pyarrow.array([{"author": "kim", "n": 1}, {"author": None, "n": 2}, None]),
        "day": pyarrow.array([datetime.date(2026, 1, 15), None, datetime.date(1969, 12, 31)]),
        "moment": pyarrow.array([datetime.datetime(2026, 1, 15, 12, 30, 0, 250000), None, None], pyarrow.timestamp("us", tz="UTC")),
        "price": pyarrow.array([decimal.Decimal("12.50"), decimal.Decimal("-0.05"), None], pyarrow.decimal128(10, 2)),
        "count": pyarrow.array([1, 18446744073709551615, None], pyarrow.uint64()),
        "ratio": pyarrow.array([0.5, float("nan"), float("inf")]),
        "small": pyarrow.array([0.1, -2.5, None], pyarrow.float32()),
        "image": pyarrow.array([b"\xff\xfe\x00", None, b"plain"], pyarrow.binary()),
        "pairs": pyarrow.array([[("k", 1), ("l", 2)], [], None], pyarrow.map_(pyarrow.string(), pyarrow.int32())),
        "nested": pyarrow.array([[["p", None], []], None, [[]]], pyarrow.list_(pyarrow.list_(pyarrow.string()))),
        "of_day": pyarrow.array([datetime.time(23, 59, 58), None, None], pyarrow.time64("us")),
        "nothing": pyarrow.nulls(3),
    }
)
