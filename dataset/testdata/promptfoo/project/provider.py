"""Answers as promptfoo asks functions of Python."""

from handbook import answer


def call_api(prompt, options, context):
    said = answer(prompt)
    if options["config"]["style"] == "short":
        said = said.removesuffix(" as you see.")
    return {"output": said}
