"""Asks a provider of promptfoo for assay: reads a question a line, writes an answer a line.

usage: target.py PROJECT PROMPT CONFIG exec PROGRAM [ARGUMENTS]
       target.py PROJECT PROMPT CONFIG python FILE FUNCTION

PROJECT is the folder of the project, PROMPT the number of its prompt, CONFIG the
configuration of the provider as JSON.
"""

import asyncio
import importlib.util
import inspect
import json
import os
import re
import subprocess
import sys

project, number, config, kind, *words = sys.argv[1:]
replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)  # what the provider prints is not a reply
os.chdir(project)


def filled(value):
    """Puts variables of the environment in their places."""
    if isinstance(value, dict):
        return {key: filled(item) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item) for item in value]
    if isinstance(value, str):
        return re.sub(r"\{\{\s*env\.(\w+)\s*\}\}", lambda m: os.environ.get(m[1], ""), value)
    return value


options = {"config": dict(filled(json.loads(config)), basePath=os.getcwd())}


def ask_program(prompt, context):
    done = subprocess.run(words + [prompt, json.dumps(options), json.dumps(context)], stdin=subprocess.DEVNULL, capture_output=True)
    said, failed = (re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", out.decode("utf-8", "replace").strip()) for out in (done.stdout, done.stderr))
    if done.returncode != 0 or failed and not said:
        return {"error": failed or "exit status %d" % done.returncode}
    return {"output": said}


def load():
    """Returns the function of the provider."""
    path, name = words
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location("provider", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


function = load() if kind == "python" else None


def ask_function(prompt, context):
    result = function(prompt, options, context)
    if inspect.isawaitable(result):
        result = asyncio.run(result)
    return result


for line in sys.stdin:
    request = json.loads(line)
    metadata = request.get("metadata") or {}
    prompt = metadata["prompts"][int(number)]
    if not isinstance(prompt, str):
        prompt = json.dumps(prompt, ensure_ascii=False)
    context = {"vars": metadata.get("vars", {}), "prompt": {"raw": prompt, "label": prompt}}
    reply = {"seq": request["seq"]}
    try:
        result = (ask_function if function else ask_program)(prompt, context)
        if not isinstance(result, dict):
            result = {"output": result}
        if result.get("error"):
            reply["error"] = str(result["error"])
        else:
            output = result.get("output")
            reply["answer"] = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False, separators=(",", ":"))
    except Exception as error:
        reply["error"] = "%s: %s" % (type(error).__name__, error)
    replies.write(json.dumps(reply) + "\n")
    replies.flush()
