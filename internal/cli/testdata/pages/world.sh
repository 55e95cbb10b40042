#!/usr/bin/env bash
# Makes the folder in which the commands of the documentation are run: the files that pages speak
# of, by the names that they have in all pages, and the runs "before", "after", "main" and
# "candidate". See TestPages.
#
# usage: world.sh REPOSITORY, in the folder
set -euo pipefail
root=$1

# Documents, and a question about each: sixty, so that a run meets its rules. Nothing is critical.
python3 - <<'PY'
import json, os
os.makedirs("docs")
cases, number = [], 0
for colour in ["red", "blue", "green", "white", "black", "yellow"]:
    for place in ["harbour", "market", "castle", "museum", "garden", "bridge", "tower", "library", "theatre", "station"]:
        number += 1
        name = f"{colour}-{place}.md"
        with open(f"docs/{name}", "w") as f:
            f.write(f"# The {colour} {place}\n\nA ticket for the {colour} {place} costs {number} dollars. It is sold at the gate, "
                    f"from an hour before the {colour} {place} opens, and holds for the whole day; who is under twelve needs none.\n")
        cases.append({"id": f"q{number:02}", "question": f"What does a ticket for the {colour} {place} cost?",
                      "ground_truth": f"{number} dollars", "expected_contexts": [name], "expected_keywords": [f"{number} dollars"],
                      "tags": ["fact", "easy" if colour == "red" else "hard", "billing"]})
json.dump({"metadata": {"name": "Tickets"}, "test_cases": cases}, open("gold.json", "w"), indent=1)
PY
assay dataset convert gold.json gold.jsonl
printf 'question,answer,file\nWhat does a ticket for the red harbour cost?,1 dollars,red-harbour.md\n' >questions.csv
mkdir -p eval my-docs
cp gold.json gold.jsonl eval/
mkdir sets
cp gold.json sets/
assay dataset convert gold.json gold.yaml
cp gold.jsonl my-gold.jsonl
cp docs/red-*.md my-docs/
cp "$root"/examples/{recorded.jsonl,rubric.yaml} .

# The same as a dataset of BEIR, and tables of what people said of the answers.
python3 - <<'PY'
import json, os
cases = json.load(open("gold.json"))["test_cases"]
for name in ["scifact", "nfcorpus"]:
    os.makedirs(f"{name}/qrels")
    with open(f"{name}/corpus.jsonl", "w") as f:
        for case in cases:
            doc = case["expected_contexts"][0]
            print(json.dumps({"_id": doc, "title": "", "text": open("docs/" + doc).read()}), file=f)
    with open(f"{name}/queries.jsonl", "w") as f:
        for case in cases:
            print(json.dumps({"_id": case["id"], "text": case["question"]}), file=f)
    for split in ["train", "test"]:
        with open(f"{name}/qrels/{split}.tsv", "w") as f:
            print("query-id\tcorpus-id\tscore", file=f)
            for case in cases:
                print(case["id"], case["expected_contexts"][0], 1, sep="\t", file=f)
tables = {"labels.csv": ("label", lambda i: ["yes", "no"][i % 2]), "judged.csv": ("label,score", lambda i: f"{i % 2},{i % 2 * 0.8 + 0.1}"),
          "grades.csv": ("label,score", lambda i: f"{i % 4 + 1},{i % 4 / 3}")}
for file, (head, row) in tables.items():
    with open(file, "w") as f:
        print("case," + head, file=f)
        for i, case in enumerate(cases):
            print(case["id"], row(i), sep=",", file=f)
with open("people.csv", "w") as f:
    print("case,run,label", file=f)
    for i, case in enumerate(cases):
        for run, label in [("before", i % 2), ("after", (i % 3 + 1) // 2)]:
            print(case["id"], run, label, sep=",", file=f)
with open("answers.csv", "w") as f:
    print("Query,Answer", file=f)
    for case in cases:
        print(case["question"], case["ground_truth"], sep=",", file=f)
PY
for name in scifact nfcorpus; do python3 -m zipfile -c $name.zip $name; done

# Answers as Ragas has them.
python3 - <<'PY'
import json
with open("ragas.jsonl", "w") as f:
    for case in json.load(open("gold.json"))["test_cases"]:
        print(json.dumps({"user_input": case["question"], "response": case["ground_truth"], "reference": case["ground_truth"],
                          "retrieved_contexts": [open("docs/" + case["expected_contexts"][0]).read()]}), file=f)
PY

# Systems: a program in Python and one for Node, recorded answers.
cp "$root/examples/exec/rag.py" "$root/examples/exec/rag.mjs" .
python3 - <<'PY'
import json
cases = json.load(open("gold.json"))["test_cases"]
with open("answers.jsonl", "w") as f:
    for case in cases:
        names = case["expected_contexts"]
        text = open("docs/" + names[0]).read()
        print(json.dumps({"id": case["id"], "answer": case["ground_truth"], "contexts": [{"text": text, "source": names[0]}]}), file=f)
PY

cat >eval-config.yaml <<YAML
dataset: gold.json
corpus: docs/
judge: "fake:"
providers:
  openai: {kind: openai, base_url: $TARGET/v1}
  cohere: {kind: cohere, base_url: $TARGET}
configs:
  small: {top_k: 3}
  large: {top_k: 10}
YAML
printf 'simulate: true\n' >judge.yaml

# Speech.
mkdir -p ref whisper vosk data exp/a exp/b
for u in 1 2 3 4 5 6; do
  printf 'the ferry leaves at nine\n' | tee "ref/u$u.txt" "vosk/u$u.txt" >/dev/null
  printf 'the fairy leaves at nine\n' >"whisper/u$u.txt"
  printf 'u%s the ferry leaves at nine\n' $u >>data/text
  printf 'u%s the fairy leaves at nine\n' $u >>exp/a/text
  printf 'u%s the ferry leaves at nine\n' $u >>exp/b/text
done
cp exp/a/text exp/text
cp ref/u1.txt ref.txt
cp whisper/u1.txt hyp.txt
cat ref/*.txt >lines.ref
cat whisper/*.txt >lines.hyp
cp "$root"/examples/speech/{ref.tsv,hyp.tsv,spoken.jsonl,responses.jsonl} .
printf 'r 1 A 0 2 the ferry leaves at nine\n' >gold.stm
printf 'r 1 0.1 0.2 the\nr 1 0.4 0.2 fairy\nr 1 0.7 0.2 leaves\nr 1 1 0.2 at\nr 1 1.3 0.2 nine\n' >asr.ctm

# TREC.
printf '1 0 D1 1\n1 0 D2 1\n2 0 D4 1\n' >qrels.txt
printf '1 Q0 D1 1 3 bm25\n1 Q0 D3 2 2 bm25\n1 Q0 D2 3 1 bm25\n2 Q0 D5 1 2 bm25\n2 Q0 D4 2 1 bm25\n' >bm25.run
printf '1 Q0 D1 1 3 dense\n1 Q0 D2 2 2 dense\n2 Q0 D4 1 2 dense\n' >dense.run

zstd -q -o huge.run.zst bm25.run

# Traces.
mkdir exports
cp "$root/spans/testdata/langchain_openinference/traces.jsonl" exports/
cp exports/traces.jsonl .
cat >app.py <<'PY'
import os, urllib.request
for line in open("traces.jsonl", "rb"):
    urllib.request.urlopen(urllib.request.Request(os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/v1/traces", line,
                                                  {"Content-Type": "application/json"}))
PY
printf 'recognise: [email, phone]\n' | tee redact.yaml >rules.yaml

# Traces that a server received.
: >serving.txt
assay serve --addr 127.0.0.1:0 >serving.txt 2>&1 &
until grep -q listening serving.txt; do kill -0 $!; sleep 0.05; done
OTEL_EXPORTER_OTLP_ENDPOINT=$(grep -o 'http://[0-9.:]*' serving.txt | head -n 1) python3 app.py
kill -INT $!
wait $!
rm serving.txt

# Runs, from the oldest to the latest, and what the quickstart leaves.
assay quickstart
metrics=hit@3,mrr@10,recall@5,recall@10,ndcg@10,precision@5,answer_keyword_recall,token_f1,support
assay run --dataset gold.json --retriever sparse --metrics $metrics --name main --output main
assay run --dataset gold.json --retriever hybrid --metrics $metrics --name candidate --output candidate
assay run --dataset gold.json --retriever sparse --metrics $metrics --name before --output results/before
assay run --dataset gold.json --retriever hybrid --metrics $metrics --name after --output results/after
mkdir baselines
for file in eval-baseline.json eval/baseline.json eval/other.json baselines/docs.json; do assay baseline save -o $file; done
assay run --dataset gold.jsonl --metrics $metrics,faithfulness --name last
cp main.json before.json
assay store export ci-ledger.jsonl.gz
gunzip -k ci-ledger.jsonl.gz

# Templates and a profile.
assay store profile show B generate >prompt.txt
assay store profile show B filter >strict.txt
assay store profile show B >b.yaml
assay store profile set old b.yaml
assay store profile show old >minutes.yaml

