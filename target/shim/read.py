

# Names of the answer among those that assay knows, to find the call that wrote it and what an object is for.
ANSWERS = ("answer", "result", "output", "output_text", "response", "final_answer", "generation", "text", "content", "completion")
TEXTS = ("text", "page_content", "content", "chunk", "passage", "snippet", "body")

# What a passage has beside its text, and a block of a message has not.
DETAILS = ("source", "metadata", "document_id", "doc_id", "title", "url", "file_path", "file_name", "filename", "path", "score")

# Names of stages in a result. Their lists may be of lists.
STAGES = ("stages", "transcript", "sub_questions", "retrieved", "filtered", "prompted")

# Names of the fields that may hold passages.
PASSAGES = re.compile("context|source|document|passage|citation|chunk|node|hits|docs|retrieved|filtered|reference|results|matches", re.I)

# How many objects that are no records a result may have: one may lead to all others of a program.
OBJECTS = 10000


def read(result):
    """Makes JSON of what a target returned. What it means is decided by assay, which knows the common shapes."""
    result = rows_of(result)
    if isinstance(result, bytes):
        result = text_of(result)
    if isinstance(result, str):
        return {"returned_text": result}  # assay decides whether it is JSON, events or lines
    if isinstance(result, numbers.Number):
        known = plain(result)
        return {"answer": text_of(result) if known is None else known}  # as under a name
    if hasattr(result, "source_nodes"):
        result = response_of(result)
    elif isinstance(result, tuple) and not fields(result) or isinstance(result, list) and len({is_many(x) and not is_scored(x) for x in result}) > 1:
        result = of_tuple(tuple(rows_of(sound(x)) for x in result))
    if is_passage(result):
        result = [result]
    if isinstance(result, (list, tuple)) and result and not fields(result) and all(is_message(m) or is_spoken(m) for m in result):
        result = {"messages": result}
    reply, own = {}, {}
    if not is_many(result):
        own = dict(result) if isinstance(result, collections.abc.Mapping) else shown(result)
        if not own:
            raise Refusal("%s returned %s: expected text, a message, documents, or an object of them" % (hello["path"], kind_of(result)))
        own = {k: settle(v) if k in ANSWERS or PASSAGES.search(str(k)) else v for k, v in own.items()}  # it may be a stream
        if isinstance(result, collections.abc.Mapping):
            result = own
        found = [own[name] for name in ANSWERS if own.get(name) is not None][:1]
        if found and not isinstance(found[0], (str, numbers.Number)):
            reply["kind"] = kind_of(found[0])
        messages = own.get("messages")
        messages = [m for m in messages if is_message(m)] if isinstance(messages, (list, tuple)) else found
        used = [usage_of(getattr(m, "usage_metadata", None)) for m in messages + [result]]
        total = {name: sum(u.get(name, 0) for u in used) for u in used for name in u}
        if total:
            reply["usage"] = total
        # What the tools of an agent returned.
        artifacts = [a for a in (getattr(m, "artifact", None) for m in messages) if isinstance(a, (list, tuple)) and (not a or documents_in(a))]
        if artifacts:
            reply["passages"] = [p for a in artifacts for p in passages(a)]
    return dict(reply, whole=as_json(result, "documents" if is_many(result) else ""))


def as_json(value, name=""):
    """A value as JSON, faithfully: records, objects, rows and tables by their fields, passages and messages as assay knows them."""
    room = [OBJECTS]

    def walk(value, name, around):
        if value is None or isinstance(value, (str, bool, int, float, bytes, enum.Enum)):
            return plain(value)
        value = rows_of(sound(value, name))
        if id(value) in around or len(around) > 40:
            return None
        inner = around + (id(value),)
        if is_passage(value):
            value = passage(value)
        elif hasattr(value, "source_nodes"):
            value = response_of(value)
        elif is_message(value) and not isinstance(value, dict) or is_spoken(value):
            value = message_of(value)
        elif callable(getattr(value, "all_messages", None)) and hasattr(value, "output"):  # a run of pydantic-ai
            value = dict(shown(value), finish_reason=getattr((value.all_messages() or [None])[-1], "finish_reason", None))
        named = PASSAGES.search(name) and name not in STAGES
        if isinstance(value, collections.abc.Mapping):
            texts = value and named and all(isinstance(v, collections.abc.Mapping) and any(isinstance(v.get(n), str) for n in TEXTS) for v in value.values())
            if texts:
                return [walk(dict({"id": k}, **v), "", inner) for k, v in value.items()]
            columns = "ids" in value  # of Chroma, whose lists are side by side
            return {str(plain(k)): walk(v, within(name, "" if columns else str(plain(k))), inner) for k, v in value.items()}
        if is_many(value):
            if named and isinstance(value, collections.abc.Set) and len(value) > 1:
                raise Refusal("%s returned passages as a set, which has no order: return a list, best first" % hello["path"])
            return [walk(v, within(name, ""), inner) for v in (entries(value) if named else value)]
        for method in ("tolist", "item"):  # numpy, torch
            if callable(getattr(value, method, None)) and not isinstance(value, type):
                try:
                    return walk(getattr(value, method)(), name, inner)
                except Exception:
                    return str(value)
        own = shown(value)
        if is_text(value, own):
            return str(value)
        room[0] -= not fields(value)
        if own and room[0] > 0:
            return walk(own, name, inner)
        return {"class " + kind_of(value): True}

    return walk(value, name, ())


def is_text(value, own):
    """Whether an object is a text, such as a date or a path: it has a text, and no field that an answer or a passage has."""
    return not isinstance(value, type) and type(value).__str__ is not object.__str__ and not fields(value) and not any(
        name in own for name in ANSWERS + TEXTS + ("message", "messages", "choices", "parts"))


def is_many(value):
    """Whether a value is a list or the like, and no record."""
    return isinstance(value, (collections.abc.Sequence, collections.abc.Set, collections.deque)) and not isinstance(value, (str, bytes)) and not fields(value)


def entries(items):
    """The passages of a list, each an object, without the lists of several searches."""
    out = []
    for item in map(sound, items):
        if is_scored(item):
            text, score = item
            out.append(put_score({"text": text} if isinstance(text, str) else passage(text) if is_passage(text) else dict(shown(text)), score))
        elif isinstance(item, tuple) and len(item) > 1 and not fields(item) and not all(map(is_passage, item)):
            out.append(tupled(item))
        elif isinstance(item, (list, tuple)) and not fields(item):
            out.extend(entries(item))
        elif item is not None:
            out.append(item)
        if out and not (isinstance(out[-1], (str, numbers.Number)) or is_many(out[-1]) or is_passage(out[-1]) or hasattr(out[-1], "tolist") or
                        isinstance(out[-1], collections.abc.Mapping) or shown(out[-1])):
            raise Refusal("%s returned %s in a list, which is no passage: expected a dict with its text and source, and an answer as text or a dict" % (
                hello["path"], kind_of(out[-1])))
    return out


def tupled(item):
    """Reads a passage that is a tuple of its text and metadata, with a distance or not."""
    first, *rest = item
    details = [v for v in rest if isinstance(v, collections.abc.Mapping)]
    if (is_passage(first) or isinstance(first, str)) and len(details) == 1 and all(v is None or is_number(v) or v is details[0] for v in rest):
        return {"text": first, "metadata": dict(details[0])} if isinstance(first, str) else passage(first)
    raise Refusal("%s returned a passage as a tuple of %s: expected a dict with its text and source" % (
        hello["path"], ", ".join(type(v).__name__ for v in item)))


def of_tuple(items):
    """The object of an answer and its passages that a tuple is, in either order; else the passages as a list."""
    if is_scored(items) and isinstance(items[0], str):
        raise Refusal("%s returned a tuple of a text and a number, which may be an answer or a passage: return a dict with answer, or a list of "
                      "passages" % hello["path"])
    if len(items) < 2 or is_scored(items):
        return [items] if is_scored(items) else list(items)
    lists = [x for x in items if is_many(x) and not is_blocks(x)]
    words = [x for x in items if isinstance(x, str) or is_message(x)] or [x for x in items if is_blocks(x)][:1] or [
        x for x in items if not (x is None or is_number(x) or is_many(x) or is_passage(x))]
    others = [x for x in items if x is not None and not any(x is w for w in words)]
    if words and not lists:
        lists = [[x] for x in others if is_record(x)]
    answer = {"message" if words and is_message(words[0]) else "answer": words[0]} if words else {}
    if len(lists) == 1 and (words or others == lists):
        return dict(answer, contexts=lists[0])
    if lists:
        raise Refusal("%s returned a tuple of %s: return a dict with answer and contexts" % (
            hello["path"], ", ".join(type(x).__name__ for x in items)))
    if len(items) == 2 and len(words) == 2 and all(isinstance(w, str) for w in words):
        return {"answer": words[0], "contexts": [words[1]]}  # an answer and its context as one text
    if len(words) == 1 and not others:
        return answer  # what is None was not reported
    if len(words) == 1 and len(items) == 2 and items[0] is words[0] and shown(items[1]):
        return dict(shown(items[1]), **answer)
    return list(items)


def rows_of(value):
    """The rows of a table of pandas, polars or pyarrow, without what is missing; another value as it is."""
    for method, *how in (("to_dicts",), ("to_pylist",), ("to_dict", "records")):
        if hasattr(value, "columns") and hasattr(value, method):
            return [{k: v for k, v in row.items() if v is not None and not (isinstance(v, float) and v != v)} for row in getattr(value, method)(*how)]
    return value


def response_of(result):
    """A response of LlamaIndex, streamed or not, as its JSON."""
    if hasattr(result, "chat_stream") or hasattr(result, "achat_stream"):
        answer = chat_stream(result)
    elif hasattr(result, "response"):
        answer = result.response
    else:
        stream = getattr(result, "response_gen", None)
        if hasattr(stream, "__aiter__"):
            answer = loop.run(collect(stream))
        else:
            answer = getattr(result, "response_txt", None)
            if answer is None:
                answer = "".join(stream) if stream is not None else None
    nodes = result.source_nodes
    return dict({} if answer is None or answer == [] else {"response": answer}, **{} if nodes is None else {"source_nodes": nodes})


def chat_stream(result):
    if getattr(result, "achat_stream", None) is not None:
        async def pieces():
            return "".join([p async for p in result.async_response_gen()])
        return loop.run(pieces())
    return "".join(result.response_gen)


def is_message(value):
    return hasattr(value, "content") and (hasattr(value, "response_metadata") or hasattr(value, "additional_kwargs")) or (
        isinstance(value, dict) and set(value) >= {"role", "content"}) or hasattr(value, "role") and hasattr(value, "blocks")


def is_spoken(value):
    """Whether a value is a message that has its text as a property, as those of Haystack and Semantic Kernel."""
    return hasattr(value, "role") and (isinstance(getattr(value, "text", None), str) or isinstance(
        inspect.getattr_static(type(value), "content", None), property))


def role_of(message):
    role = message.get("role") if isinstance(message, dict) else getattr(message, "type", None) or getattr(message, "role", "")
    return str(getattr(role, "value", role)).lower()


def message_of(value):
    """A message of LangChain, LlamaIndex or Haystack as an object: its text is a property of it, and its calls are blocks or parts."""
    get = lambda name: getattr(value, name, None)
    calls = get("tool_calls") or [b for b in get("blocks") or () if str(getattr(b, "block_type", "")) == "tool_call"]
    kwargs = get("additional_kwargs")
    if not calls and isinstance(kwargs, dict):
        calls = kwargs.get("tool_calls")
    own = {"role": role_of(value), "content": get("text") if isinstance(get("text"), str) else value.content, "tool_calls": calls, "usage": get("usage_metadata")}
    own.update({name: get(name) for name in ("invalid_tool_calls", "response_metadata", "additional_kwargs", "meta", "finish_reason")})
    return {k: v for k, v in own.items() if v is not None}


def shown(value):
    """The fields of an object, also of one that is no record, and the usual names among the properties of its class; else {}."""
    if isinstance(value, type) or inspect.isroutine(value) or inspect.ismodule(value):
        return {}
    if isinstance(value, collections.abc.Mapping):
        return dict(value)
    own = fields(value)
    if not own:
        slots = [s for c in type(value).__mro__ for s in [c.__dict__.get("__slots__", ())] for s in ([s] if isinstance(s, str) else s)]
        own = dict({name: getattr(value, name) for name in slots if hasattr(value, name)}, **getattr(value, "__dict__", {}))
    own = {k: v for k, v in own.items() if not str(k).startswith("_")}
    if not any(name in own for name in ANSWERS + TEXTS):
        for name in ANSWERS + TEXTS + DETAILS + ("id", "payload", "properties"):
            if name not in own and not inspect.isroutine(inspect.getattr_static(type(value), name, len)):
                try:
                    own[name] = getattr(value, name)
                except Exception:
                    pass  # it cannot be read now
    return own


def is_blocks(value):
    """Whether a value is the content of a message: a list of blocks, such as texts and thoughts, that are no passages."""
    def kind(block):
        own = fields(block)
        kind = own.get("type")
        return "" if not isinstance(kind, str) or is_passage(block) or any(own.get(name) for name in DETAILS) else kind

    return isinstance(value, list) and all(isinstance(b, str) or kind(b) for b in value) and any(
        re.search("^(text|output_text)$|think|reasoning", kind(b)) for b in value if not isinstance(b, str))


def is_record(value):
    """Whether an object is a passage, and no piece of an answer."""
    own = shown(value)
    return is_passage(value) or is_scored(value) or not isinstance(value, dict) and (
        any(isinstance(own.get(name), str) for name in TEXTS) and any(own.get(name) for name in ("id",) + DETAILS))


def text_of(value):
    """The text of a value: a text, a message, its blocks, or an object as JSON."""
    if isinstance(value, str):
        return str(value)
    if is_message(value):
        return text_of(value["content"] if isinstance(value, dict) else value.content)
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, (list, tuple)):
        if value and all(is_message(v) for v in value):
            return text_of(value[-1])
        blocks = [block_text(v) for v in value]
        if all(b is not None for b in blocks):
            return "".join(blocks)
    if isinstance(value, (bool, int, float)):
        return str(value)
    own = fields(value) or value
    if isinstance(own, collections.abc.Mapping):
        for name in ANSWERS + ("message", "messages"):
            if isinstance(own.get(name), str) or is_message(own.get(name)) or name == "messages" and own.get(name):
                return text_of(own[name])
    elif not isinstance(own, (list, tuple)):
        return str(value)
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False)


def block_text(block):
    """The text of one block of a message; "" for another type, such as a thought or an image."""
    if isinstance(block, str):
        return block
    own = fields(block)
    if "type" in own:
        return str(own.get("text") or "") if own["type"] in ("text", "output_text") else ""
    return None


def usage_of(found):
    out, found = {}, fields(found)
    if found:
        for name, names in (("input_tokens", ("input_tokens", "prompt_tokens")), ("output_tokens", ("output_tokens", "completion_tokens")),
                            ("total_tokens", ("total_tokens",))):
            for one in names:
                if isinstance(found.get(one), int):
                    out[name] = found[one]
                    break
    return out


# The body of a response: of Flask, of streams of Starlette and of Django, of Starlette and aiohttp, of Django, requests and httpx.
BODIES = ("get_data", "body_iterator", "streaming_content", "body", "content")


def unwrapped(result):
    """The body and status of a view of Flask, or of a response of a web framework or an HTTP client; status 0 of another value."""
    status = 0
    if is_view(result):
        result, status = result[:2]
    code = getattr(result, "status_code", getattr(result, "status", None))
    if type(code) is int and hasattr(result, "headers"):
        name = next((name for name in BODIES if hasattr(result, name)), None)
        if name is None:
            raise Refusal("%s returned %s: expected its text, or its JSON as a dict" % (hello["path"], kind_of(result)))
        result, status = getattr(result, name), status or code
        result = settle(result() if callable(result) else result)
    return result, status


def is_view(value):
    """Whether a value is what a view of Flask returns: a body, a status and perhaps headers."""
    return (isinstance(value, tuple) and len(value) in (2, 3)
            and (isinstance(value[0], (str, bytes, collections.abc.Mapping)) or hasattr(value[0], "headers"))
            and type(value[1]) is int and 100 <= value[1] < 600 and all(isinstance(v, collections.abc.Mapping) for v in value[2:]))


def is_scored(value):
    """Whether a value is a passage, or its text, beside its score."""
    if not isinstance(value, (list, tuple)) or fields(value) or len(value) != 2 or not is_number(value[1]):
        return False
    return isinstance(value[0], (str, collections.abc.Mapping)) or is_passage(value[0])


def is_number(value):
    return not isinstance(value, (bool, str)) and hasattr(value, "__float__")


def is_passage(value):
    return hasattr(value, "page_content") or hasattr(value, "get_content") or hasattr(value, "node") and hasattr(value, "score")


def passages(documents):
    """Documents of frameworks as objects, with or without a score."""
    return [as_json(p) for p in entries(documents)]


def passage(value):
    """A document of LangChain, or a node of LlamaIndex, as an object under names that assay knows."""
    node = getattr(value, "node", value)
    get = lambda name: getattr(node, name, None)
    known = get("metadata") if isinstance(get("metadata"), collections.abc.Mapping) else {}
    own = {"text": node.get_content() if callable(get("get_content")) else get("page_content"), "document_id": get("ref_doc_id"),
           "id": get("id") or get("node_id") or get("id_"),
           "source": known.get("source") or known.get("file_path"), "metadata": known or None}
    own = {k: v for k, v in own.items() if v is not None and v != ""}
    return put_score(own if "text" in own else dict(shown(node)), getattr(value, "score", None))


def put_score(out, score):
    if score is not None and is_number(score) and math.isfinite(float(score)):
        out["score"] = float(score)
    return out
