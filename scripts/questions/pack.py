"""Makes the jobs for a model from what the judge is sent before and after.

usage: pack.py ITEMS BEFORE AFTER >jobs.jsonl

A job is a prompt, the beginning of the reply, and the verdicts that may follow. What is the
same before and after is one job.
"""

import json
import sys

NONCE = "4815162342"
OPEN = '{"nonce":"' + NONCE + '",'
FIRST = OPEN + '"items":[{"id":1,'

TENTHS = [f"{n / 10:.1f}" for n in range(11)]
LEVELS = [str(n) for n in range(5)]

# READS has, for each task and version, the readings of one reply: a name, the beginning of the
# reply, and the verdicts with what must follow each.
READS = {
    ("support", "v2"): [("verdict", FIRST + '"verdict":"', ["supported", "contradicted", "not_found"], '"')],
    ("support", "v4"): [
        ("verdict", FIRST + '"verdict":"', ["supported", "contradicted", "conflict", "partly", "not_found"], '"')
    ],
    ("equivalence", "v2"): [("verdict", OPEN + '"equivalent":', ["true", "false"], ",")],
    ("true_false", "v1"): [("verdict", "", ["TRUE", "FALSE"], "")],
    ("assign", "v2"): [("verdict", FIRST + '"verdict":"', ["support", "partial_support", "not_support"], '"')],
    ("relevance", "v2"): [("verdict", FIRST + '"score":', ["0", "1", "2", "3"], ",")],
    ("umbrela", "v1"): [("verdict", "##final score:", [" 0", " 1", " 2", " 3"], "")],
    ("importance", "v1"): [("verdict", FIRST + '"importance":"', ["vital", "okay"], '"')],
    ("evaluate_response_comparison", "v1"): [
        ("completeness", '{"completeness_score":', TENTHS, ","),
        ("factual_accuracy", '{"factual_accuracy_score":', TENTHS, ","),
    ],
    ("evaluate_response_comparison", "v2"): [
        ("declines", '{"declines":', ["true", "false"], ","),
        ("completeness", '{"declines":false,"completeness_level":', LEVELS, ","),
        ("factual_accuracy", '{"declines":false,"factual_accuracy_level":', LEVELS, "}"),
    ],
}

# WRITES has the beginnings of replies that the model goes on with.
WRITES = {
    ("claims", "v2"): OPEN + '"kind":"answered","items":[{"id":1,"sentence":1,',
    ("claims", "v3"): OPEN + '"kind":"answered","items":[{"id":1,"sentence":1,',
    ("points", "v1"): FIRST + '"source":1,"quote":"',
    ("points", "v2"): FIRST + '"source":1,"quote":"',
}
TOKENS = 300


def lines(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def reads(item, said):
    """Returns the readings of a reply about an item, none if the task is not read."""
    form = (said["task"], said["version"])
    if item["study"] == "importance" and said["task"] == "points":
        # Importance was a field of the point that the sources make.
        if said["version"] != "v1":
            return []
        text = json.dumps(item["text"], ensure_ascii=False)
        return [("verdict", FIRST + f'"source":1,"quote":{text},"point":{text},"vital":', ["true", "false"], "}")]
    if form in WRITES:
        return [("text", WRITES[form], None, "")]
    if item["study"] == "absent" and said["task"] == "relevance":
        # The batch form grades ten passages; the reply begins with the one that is read.
        name, begin, options, end = READS[form][0]
        return [(f"verdict {n + 1}", begin.replace('"id":1,', f'"id":{n + 1},'), options, end) for n in range(len(item["sources"]))]
    return READS[form]


def main():
    items = {x["id"]: x for x in lines(sys.argv[1])}
    jobs = {}
    for when, path in (("before", sys.argv[2]), ("after", sys.argv[3])):
        for said in lines(path):
            for name, begin, options, end in reads(items[said["id"]], said):
                key = (said["id"], said["task"], said["system"], said["user"], name, begin)
                job = jobs.setdefault(key, {
                    "id": said["id"], "task": said["task"], "version": said["version"], "read": name, "when": [],
                    "system": said["system"], "user": said["user"], "begin": begin,
                })
                job["when"].append(when)
                if options is None:
                    job["tokens"] = TOKENS
                else:
                    job["options"], job["end"] = options, end
    for job in jobs.values():
        print(json.dumps(job, ensure_ascii=False))


if __name__ == "__main__":
    main()
