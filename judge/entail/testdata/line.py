"""A program that scores the pairs on its lines, as "command" starts it."""
import json
import sys

from models import share

for line in sys.stdin:
    pair = json.loads(line)
    if pair["claim"] == "no number":
        print(json.dumps({"probability": "high"}), flush=True)
        continue
    if pair["claim"] == "fails":
        print(json.dumps({"error": "the model is out of memory"}), flush=True)
        continue
    p = share(pair["document"], pair["claim"])
    reply = {"probability": p}
    if "--contradiction" in sys.argv:
        reply["contradiction"] = (1 - p) / 2
    print(json.dumps(reply), flush=True)
