

# Common names of answers and passages in results, most likely first.
ANSWERS = ("answer", "result", "output", "output_text", "response", "final_answer", "generation", "text", "content", "completion")
CONTEXTS = ("reranked_documents", "reranked_docs", "filtered_documents", "filtered_docs", "source_documents", "context", "contexts",
            "documents", "sources", "docs", "source_nodes", "nodes", "retrieved_documents", "retrieved_docs", "retrieved_contexts", "passages")
# Names of passages beside an answer, which count less than what was heard: a model cites less than was retrieved.
BESIDE = ("chunks", "search_results", "citations")


# The warning of a context whose passages cannot be told apart.
JOINED = "the context is one text and was read as one passage: return the list of documents for metrics of retrieval"


def read(result):
    """Makes {"answer", "passages", "usage", "warnings"} from what a chain returned, and the stages that it reports.

    What is not there was not reported; passages that are there and empty mean
    that nothing was retrieved.
    """
    result = rows_of(result)
    if result is None:
        raise Refusal("%s returned None: want an answer, documents, or both" % hello["path"])
    if isinstance(result, bytes):
        result = text_of(result)
    if isinstance(result, str):
        return {"returned_text": result}  # assay decides whether it is JSON, events or lines
    if is_message(result) or is_blocks(result):
        return with_usage({"answer": answer_of(result)}, [result])
    if hasattr(result, "source_nodes"):
        return read_response(result)
    if is_passage(result):
        return {"passages": [passage(result)]}
    if isinstance(result, (list, tuple)) and not fields(result):
        return read_list(result)
    if isinstance(result, collections.abc.Mapping):
        return read_fields(dict(result))
    own = shown(result)
    if own:
        return read_fields(own)
    if isinstance(result, numbers.Number):
        return {"answer": text_of(result)}
    raise Refusal("%s returned %s: want text, a message, documents, or an object of them" % (hello["path"], kind_of(result)))


def rows_of(value):
    """The rows of a table of pandas, polars or pyarrow, without what is missing; another value as it is."""
    for method, *how in (("to_dicts",), ("to_pylist",), ("to_dict", "records")):
        if hasattr(value, "columns") and hasattr(value, method):
            return [{k: v for k, v in row.items() if v is not None and not (isinstance(v, float) and v != v)} for row in getattr(value, method)(*how)]
    return value


def read_list(items):
    if isinstance(items, tuple):
        items = tuple(map(rows_of, items))
    if isinstance(items, tuple) and len(items) >= 2 and not is_scored(items):
        # An answer and its passages, in either order.
        words = [x for x in items if isinstance(x, str) or is_message(x)] or [x for x in items if is_blocks(x)][:1] or [
            x for x in items if fields(x) and not is_passage(x)]
        others = [x for x in items if not any(x is w for w in words)]
        lists = [x for x in others if isinstance(x, (list, tuple)) and not is_scored(x)]
        if words and not lists:
            lists = [[x] for x in others if is_record(x)]
        if len(lists) == 1 and words:
            return read_fields({"answer": words[0], "contexts": lists[0]})
        if lists and words:
            raise Refusal("%s returned a tuple of %s: return a dict with answer and contexts" % (
                hello["path"], ", ".join(type(x).__name__ for x in items)))
        if len(items) == 2 and len(words) == 2 and all(isinstance(w, str) for w in words):
            # An answer and its context as one text.
            return {"answer": words[0], "passages": passages([words[1]])}
        if len(words) == 1 and not any(x is not None for x in others):
            # What is None was not reported.
            return read_fields({"answer": words[0]})
        if len(words) == 1 and len(items) == 2 and items[0] is words[0] and fields(items[1]):
            return dict(read_fields(fields(items[1]), partly=True), answer=answer_of(words[0]))
    if items and all(is_message(m) for m in items):
        return read_messages(list(items))
    if items and all(isinstance(x, dict) and x.keys() & {"recipient_id", "replyToId"} for x in items):
        return {"body": json.dumps(plain(items))}  # what a bot says
    events = [shown(x) for x in items]
    if events and all("author" in e for e in events):
        # Of an agent of ADK, objects or not.
        contents = [shown(e.get("content")) for e in events]
        if any(c.get("parts") for c in contents):
            return {"whole": stage_value([dict(e, content=c and dict(c, parts=[shown(p) for p in c.get("parts") or ()])) for e, c in zip(events, contents)])}
    if events and all(re.search("(Message|Event)$", str(e.get("type"))) and "content" in e for e in events):
        return {"whole": stage_value(list(items))}  # messages of AutoGen
    return {"passages": passages(items)}


# Fields that can say that a result is a failure, and why.
VERDICTS = re.compile("^(ok|success|status|message|detail|reason)$|err|exception|fail|code|msg", re.I)

# Fields that say why a result ended.
STOPS = ("finish_reason", "finishReason", "stop_reason", "stopReason", "done_reason")

# Fields of LangChain and Haystack with an object, or a list of one, that can say it too.
METADATA = ("response_metadata", "additional_kwargs", "metadata", "meta")

# Common names of the results of single pipeline stages.
STAGES = ("stages", "transcript", "sub_questions", "retrieved", "filtered", "prompted")


def is_whole(found):
    """Whether an object is an accuracy test result, which has every stage."""
    return all(isinstance(found.get(name), collections.abc.Mapping) for name in ("retrieval", "response")) and "extracted_key_questions" in found


def is_items(output):
    """Whether an output is that of OpenAI's responses: messages and calls."""
    return isinstance(output, (list, tuple)) and any(
        (v.get("type") if isinstance(v, dict) else getattr(v, "type", None)) in ("message", "function_call") for v in output)


def stage_value(value, depth=0):
    """The output of a stage as JSON, with documents as passages."""
    if is_passage(value):
        return passage(value)
    if not isinstance(value, dict) and is_message(value) or hasattr(value, "role") and hasattr(value, "text"):
        message = {"role": role_of(value), "content": text_of(value if is_message(value) else value.text)}
        why = ending(value)
        return dict(message, finish_reason=why) if why else message
    if depth < 8 and isinstance(value, collections.abc.Mapping):
        return {str(k): stage_value(v, depth + 1) for k, v in value.items()}
    own = fields(value)
    if depth < 8 and own:
        return stage_value(own, depth)
    if depth < 8 and isinstance(value, (list, tuple)):
        return [stage_value(v, depth + 1) for v in value]
    return plain(value)


def read_fields(found, partly=False):
    if is_whole(found) or isinstance(found.get("choices"), (list, tuple)) or found.get("object") == "response" or is_items(found.get("output")):
        return {"whole": stage_value(found)}
    reply = {}
    for name in STAGES:
        if found.get(name) is not None:
            reply[name] = stage_value(found[name])
    if isinstance(found.get("messages"), (list, tuple)) and found["messages"] and all(is_message(m) for m in found["messages"]):
        reply = read_messages(list(found["messages"]))
        schema = shown(found.get("structured_response"))  # of an agent of LangChain, which may end in its call
        if schema:
            made = read_fields(schema, partly=True)
            return dict({k: v for k, v in reply.items() if k in ("passages", "usage")}, **dict({"answer": text_of(schema)}, **made))
    for name in ANSWERS:
        value = settle(found.get(name))  # a stream
        if value is None or value == "" and any(found.get(other) for other in ANSWERS):
            continue
        if isinstance(value, (list, tuple)) and value and all(is_passage(v) for v in value):
            continue
        if hasattr(value, "source_nodes"):
            reply = read_response(value)
        else:
            reply["answer"], reply["kind"] = answer_of(value), kind_of(value)
            with_usage(reply, [value])
            found = dict(found, **{name: reply["answer"]})
        break
    # Where a model cites nothing, something may have been retrieved. What it cites are the sources of the AI SDK.
    given = [(name, listed(found[name])) for name in CONTEXTS if found.get(name) is not None and (
        name != "sources" or found[name] or found.get("toolResults") is None)]
    if not given and "answer" in reply and not reply.keys() & {"passages", "stages", "retrieved", "filtered"}:
        beside = [(name, listed(found.get(name))) for name in BESIDE if name != "citations" or found.get(name)]
        # Numbers refer to passages.
        given = [one for one in beside if isinstance(one[1], (list, tuple)) and not any(map(is_number, one[1]))][:1]
        reply["weak"] = bool(given)
    lists = [v for _, v in given if not (isinstance(v, str) or isinstance(v, (list, tuple)) and any(map(is_number, v)))]
    texts = [v for _, v in given if isinstance(v, str)]
    chosen = next((v for v in lists if len_of(v)), lists[0] if lists else None)
    if chosen is not None:
        reply["passages"] = passages(chosen)
        # Empty sources may be those of what the answer cites: assay decides by the other cases.
        reply["cites"] = not len_of(chosen) and any(name == "sources" for name, v in given if v is chosen)
        found = dict(found, **{name: reply["passages"] for name, v in given if v is chosen})
    elif texts and texts[0].strip() and "passages" not in reply:
        # The boundaries between passages are unknown.
        reply["passages"], reply["weak"] = [{"text": texts[0]}], True
        reply.setdefault("warnings", []).append(JOINED)
    if found.get("usage") is not None:
        reply.setdefault("usage", usage_of(found["usage"]))
    if isinstance(reply.get("answer"), dict):
        # assay knows more shapes than these names.
        return dict(reply, whole=stage_value(found))
    if not set(reply) - set(STAGES) and not partly and "retrieved" not in reply and "stages" not in reply:
        return {"whole": stage_value(found)}
    # assay decides which of these report a failure.
    verdicts = {k: plain(v) for k, v in found.items() if VERDICTS.search(str(k)) and (isinstance(v, (str, numbers.Number)) or "err" in str(k))}
    reply["finish_reason"] = reply.get("finish_reason") or ending(found)
    return dict(verdicts, again="error" not in found, **reply)


def listed(value):
    """The list that a text holds as JSON, or the rows of a table; another value as it is."""
    value = rows_of(value)
    try:
        inner = json.loads(value) if isinstance(value, str) and value.lstrip().startswith("[") else None
    except (ValueError, RecursionError):
        inner = None
    return inner if isinstance(inner, list) else value


def read_messages(messages):
    """Reads the state of an agent: its last message, and the documents that its tools returned."""
    reply = {}
    said = [m for m in messages if role_of(m) in ("ai", "assistant", "aimessagechunk")]
    if said:
        reply["answer"] = answer_of(said[-1])
    found = []
    for m in messages:
        artifact = getattr(m, "artifact", None)
        if isinstance(artifact, (list, tuple)) and all(is_passage(a) or is_scored(a) for a in artifact):
            found.append(artifact)
    if found:
        reply["passages"] = [p for one in found for p in passages(one)]
    with_usage(reply, said)
    if messages and role_of(messages[-1]) == "tool":
        reply["finish_reason"] = "tool_calls"
    return reply


def read_response(result):
    """Reads a response of LlamaIndex, streamed or not."""
    nodes = getattr(result, "source_nodes", None)
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
    reply = {}
    if answer is not None and answer != []:
        reply["answer"] = answer_of(answer)
    if nodes is not None:
        reply["passages"] = passages(nodes)
        reply["weak"] = not reply["passages"]  # as of a custom engine that returns a text
    return reply


def chat_stream(result):
    if getattr(result, "achat_stream", None) is not None:
        async def pieces():
            return "".join([p async for p in result.async_response_gen()])
        return loop.run(pieces())
    return "".join(result.response_gen)


def is_message(value):
    return hasattr(value, "content") and (hasattr(value, "response_metadata") or hasattr(value, "additional_kwargs")) or (
        isinstance(value, dict) and set(value) >= {"role", "content"}) or hasattr(value, "role") and hasattr(value, "blocks")


def role_of(message):
    role = message.get("role") if isinstance(message, dict) else getattr(message, "type", None) or getattr(message, "role", "")
    return str(getattr(role, "value", role)).lower()


def shown(value):
    """The fields of an object, also of one that is no record, else {}."""
    return fields(value) or {k: v for k, v in getattr(value, "__dict__", {}).items() if not k.startswith("_")}


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


def answer_of(value):
    """An answer as JSON. assay finds the text of a message, its blocks or an object."""
    if isinstance(value, (list, tuple)) and value and all(is_message(v) for v in value):
        value = value[-1]
    if is_message(value) and not isinstance(value, dict):
        value = value.content
    elif hasattr(value, "role") and isinstance(getattr(value, "text", None), str):
        value = value.text  # of haystack
    own = fields(value)
    if isinstance(value, (list, tuple)) and not own:
        return [stage_value(v) for v in value]
    if not own and type(value).__str__ is object.__str__ and type(value).__repr__ is object.__repr__:
        own = shown(value)
        if not own:
            raise Refusal("%s returned its answer as %s: want a text" % (hello["path"], kind_of(value)))
    return stage_value(own) if own else text_of(value)


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
    shown = fields(value) or value
    if isinstance(shown, collections.abc.Mapping):
        for name in ANSWERS:
            if isinstance(shown.get(name), str):
                return shown[name]
    elif not isinstance(shown, (list, tuple)):
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


def with_usage(reply, messages):
    total = {}
    for m in messages:
        for name, n in usage_of(getattr(m, "usage_metadata", None)).items():
            total[name] = total.get(name, 0) + n
        reply["finish_reason"] = ending(m)
    if total:
        reply["usage"] = total
    return reply


def ending(found):
    """Why a message or a result ended, "" if it does not say. Calls beside the answer of a result, which is no message, have run."""
    def get(name):
        return found.get(name) if isinstance(found, collections.abc.Mapping) else getattr(found, name, None)

    if is_message(found) and (get("tool_calls") or get("invalid_tool_calls")):
        return "tool_calls"
    within = [get(name) for name in METADATA]
    objects = [fields(found) or found] + [w[0] if isinstance(w, list) and w else w for w in within]
    objects = [o for o in objects if isinstance(o, collections.abc.Mapping)]
    if any(isinstance(o.get("refusal"), str) and o["refusal"] for o in objects):
        return "refusal"
    reasons = [fields(o.get("incomplete_details")).get("reason") for o in objects]
    reasons += [o.get(name) for o in objects for name in STOPS]
    reasons = [r for r in reasons if isinstance(r, str) and r]
    return str(reasons[0]) if reasons else ""


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


def len_of(value):
    try:
        return len(value)
    except TypeError:
        return 1


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
            raise Refusal("%s returned %s: want its text, or its JSON as a dict" % (hello["path"], kind_of(result)))
        result, status = getattr(result, name), status or code
        result = settle(result() if callable(result) else result)
    return result, status


def is_view(value):
    """Whether a value is what a view of Flask returns: a body, a status and perhaps headers."""
    return (isinstance(value, tuple) and len(value) in (2, 3)
            and (isinstance(value[0], (str, bytes, collections.abc.Mapping)) or hasattr(value[0], "headers"))
            and type(value[1]) is int and 100 <= value[1] < 600 and all(isinstance(v, collections.abc.Mapping) for v in value[2:]))


def is_scored(value):
    return isinstance(value, (list, tuple)) and len(value) == 2 and (is_passage(value[0]) or isinstance(value[0], str)) and is_number(value[1])


def is_number(value):
    return not isinstance(value, (bool, str)) and hasattr(value, "__float__")


def is_passage(value):
    return hasattr(value, "page_content") or hasattr(value, "get_content") or hasattr(value, "node") and hasattr(value, "score")


def passages(items):
    if isinstance(items, (set, frozenset)):
        raise Refusal("%s returned passages as a set, which has no order: return a list, best first" % hello["path"])
    if isinstance(items, collections.abc.Mapping):
        if any(name in items for name in TEXTS):
            items = [items]
        else:
            items = [dict(v, id=k) if isinstance(v, dict) and "id" not in v else v for k, v in items.items()]
    elif is_passage(items) or isinstance(items, str):
        items = [items]
    out = []
    for item in items:
        if isinstance(item, tuple) and len(item) > 1 and not is_scored(item) and not all(is_passage(v) for v in item):
            out.append(tupled(item))
        elif isinstance(item, (list, tuple)) and not is_scored(item):
            out.extend(passages(item))  # batches of a retriever of several queries
        elif item is not None:
            out.append(passage(item))
    return out


def tupled(item):
    """Reads a passage that is a tuple of its text and metadata, with a distance or not."""
    first, *rest = item
    details = [v for v in rest if isinstance(v, collections.abc.Mapping)]
    if (is_passage(first) or isinstance(first, str)) and len(details) == 1 and all(v is None or is_number(v) or v is details[0] for v in rest):
        return passage({"text": first, "metadata": dict(details[0])} if isinstance(first, str) else first)
    raise Refusal("%s returned a passage as a tuple of %s: want a dict with its text and source" % (
        hello["path"], ", ".join(type(v).__name__ for v in item)))


TEXTS = ("text", "page_content", "content", "chunk", "passage", "snippet", "body")

# What a passage has beside its text, and a block of a message has not.
DETAILS = ("source", "metadata", "document_id", "doc_id", "title", "url", "file_path", "file_name", "filename", "path", "score")


def passage(item):
    """Converts an object of any known type to one passage."""
    score = None
    if is_scored(item):
        item, score = item
    if isinstance(item, str):
        return put_number({"text": item, "bare": True}, "score", score)
    if isinstance(item, dict):
        node, item = item.get("node"), dict(item)
        if isinstance(node, dict):
            item = dict(node, **item)
        elif node is not None:
            return put_number(passage(node), "score", item.get("score"))
        text = next((item[n] for n in TEXTS if isinstance(item.get(n), str)), None)
        metadata = item.get("metadata") if isinstance(item.get("metadata"), dict) else {}
        own = item
    else:
        node = getattr(item, "node", item)
        metadata = getattr(node, "metadata", None)
        metadata = dict(metadata) if isinstance(metadata, collections.abc.Mapping) else {}
        text = next((getattr(node, n) for n in TEXTS if isinstance(getattr(node, n, None), str)), None)
        if callable(getattr(node, "get_content", None)):
            text = node.get_content()
        own = {name: getattr(node, name, None) for name in ("id", "node_id", "ref_doc_id", "uuid", "payload", "properties")}
        own["score"] = getattr(item, "score", None)
        if not is_passage(item):
            own.update(shown(node) or {name: getattr(node, name, None) for name in DETAILS})
        if text is None:
            text = next((own[n] for n in TEXTS if isinstance(own.get(n), str)), None)
    # Qdrant and Weaviate keep the text among the fields of the user.
    stored = next((own[n] for n in ("payload", "properties") if isinstance(own.get(n), collections.abc.Mapping)), {})
    if text is None:
        metadata = {**stored, **metadata}
        text = next((stored[n] for n in TEXTS if isinstance(stored.get(n), str)), None)
    both = [own, metadata]
    out = {}
    if text is not None:
        out["text"] = text
    put(out, "id", both, ("id", "node_id", "id_", "chunk_id", "_id", "uuid"))
    put(out, "document_id", [metadata, own], ("document_id", "doc_id", "ref_doc_id", "parent_id"))
    put(out, "document", [metadata, own], ("document",))  # assay decides whether it is a name or the text
    put(out, "source", both, ("source", "file_path", "url", "source_url", "path", "file_name", "filename", "link"))
    put(out, "title", both, ("title", "document_title"))
    for one in both:
        for key in ("chunk_index", "index", "seq_num", "start_index_chunk"):
            if "index" not in out and isinstance(one.get(key), int) and not isinstance(one[key], bool) and one[key] >= 0:
                out["index"] = one[key]
    for key in ("rank", "position"):
        put_number(out, key, own.get(key))
    put_number(out, "score", score)
    for one in both:
        for key in ("score", "relevance_score", "_score", "similarity"):
            put_number(out, "score", one.get(key))
    if not (out.keys() & {"text", "id", "document", "document_id", "source"} or isinstance(item, dict)):
        raise Refusal("%s returned %s in a list, which is no passage: want a dict with its text and source, and an answer as text or a dict" % (
            hello["path"], kind_of(item)))
    if metadata:
        out["metadata"] = metadata
    return out


def put(out, field, places, names):
    for one in places:
        for key in names:
            value = one.get(key)
            if field not in out and value is not None and value != "" and not isinstance(value, (dict, list, tuple, bool)):
                out[field] = str(value)


def put_number(out, field, value):
    if field not in out and value is not None and is_number(value):
        try:
            if math.isfinite(float(value)):
                out[field] = float(value)
        except (TypeError, ValueError):
            pass
    return out
