"""The client of OpenAI alone: an embedding search by hand, then one chat call.

A program may make spans of its own around a question and its search.
The Chinese question is answered as a stream.
"""

import contextlib

import ferry
from openai import OpenAI


def vectors(client, texts):
    made = client.embeddings.create(model=ferry.EMBEDDING_MODEL, input=texts)
    return [item.embedding for item in made.data]


def search(client, passages, question):
    """The nearest passages with their scores, best first."""
    asked = vectors(client, [question])[0]
    scored = [(sum(a * b for a, b in zip(asked, vector)), p) for p, vector in passages]
    return sorted(scored, key=lambda pair: -pair[0])[: ferry.TOP]


def ask(client, best, question):
    """The answer from the passages found."""
    context = "\n\n".join(p["text"] for _, p in best)
    messages = [
        {"role": "system", "content": ferry.SYSTEM},
        {"role": "user", "content": ferry.PROMPT.format(context=context, question=question)},
    ]
    if question.isascii():
        reply = client.chat.completions.create(model=ferry.MODEL, messages=messages, temperature=0)
        answer = reply.choices[0].message.content
    else:
        events = client.chat.completions.create(
            model=ferry.MODEL, messages=messages, temperature=0, stream=True, stream_options={"include_usage": True}
        )
        answer = "".join(c.delta.content or "" for event in events for c in event.choices)
    return answer


@contextlib.contextmanager
def no_span(*_):
    yield lambda best: None


def ask_all(expected, instrument, after=lambda: None, question_span=no_span, search_span=no_span):
    """Asks every question after instrument, which does not see the corpus embedded.

    The spans are of the program's own making, if it makes any: question_span encloses
    a question, search_span a search, and what it yields is called with what was found.
    """
    client = OpenAI()
    embedded = list(zip(ferry.PASSAGES, vectors(client, [p["text"] for p in ferry.PASSAGES])))
    instrument()
    for question in ferry.QUESTIONS:
        with question_span(question):
            with search_span(question) as tell:
                best = search(client, embedded, question)
                tell(best)
            answer = ask(client, best, question)
        expected.add(question, answer, [[ferry.document(p, p["text"], score) for score, p in best]])
        after()
