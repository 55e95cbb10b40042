

# Common names of a chain's question input.
QUESTION = ("question", "query", "input", "user_input", "user_question", "user_query", "human_input", "prompt", "q", "text", "request")
HISTORY = ("chat_history", "history", "conversation")

# Methods that take a question, each with its asynchronous form.
METHODS = (("invoke", "ainvoke"), ("query", "aquery"), ("chat", "achat"), ("retrieve", "aretrieve"), ("run", "arun"), ("__call__", None))


class Caller:
    """Asks one object questions. Its type and signature decide how it is called, once, before the first question."""

    def __init__(self, target, top_k):
        if callable(getattr(target, "as_query_engine", None)) and not callable(getattr(target, "query", None)):
            target = engine(target, top_k)
        self.target = target
        for sync, other in METHODS:
            only_async = other and callable(getattr(target, other, None)) and (
                not callable(getattr(target, sync, None)) or sync == "invoke" and awaits(target))
            self.method = other if only_async else sync
            if callable(getattr(target, self.method, None)):
                break
        else:
            raise Refusal("%s is %s: expected a function, or an object with one of %s" % (
                hello["path"], kind_of(target), ", ".join(a for a, _ in METHODS[:-1])))
        if not hello["send"] and any(c.__module__.startswith("haystack.") and c.__name__ == "PipelineBase" for c in type(target).__mro__):
            raise Refusal("%s is a Haystack pipeline, which wants an input for each component: wrap it in a function such as\n%s" % (
                hello["path"], wrapped(target)))
        # A function's signature lists its parameters, that of __call__ does not.
        self.call = target if self.method == "__call__" else getattr(target, self.method)
        self.takes = parameters(self.call)
        self.keyword, self.keys = None, []
        self.extras = tuple(n for n in list(self.takes)[1:] if n in ("top_k", "metadata"))
        if self.method in ("invoke", "ainvoke"):
            self.keys = input_keys(target)
            if not hello["send"] and self.keys and not self.filled("", None):
                raise Refusal("the input of %s has %s, none of which is a usual name of the question: expected send: with its input" % (
                    hello["path"], ", ".join(map(repr, self.keys))))
        elif not is_workflow(target):
            self.bind()
        self.breakpoints = self.method in ("invoke", "ainvoke") and has_breakpoints(target)
        self.turns = threading.Lock()
        self.config, self.warnings = configured(target), []
        owner = getattr(target, "__self__", target)
        used = list(used_by(owner).values())
        # Agents of smolagents keep the steps of the question that they answer.
        self.agents = [one for one in [owner, *used] if any(c.__module__.startswith("smolagents") for c in type(one).__mro__)]
        configs = [self.config] + [one.get("configurable") for one in used if isinstance(one, dict)]
        fixed = [(k, v) for config in configs if isinstance(config, dict) for k, v in config.items() if k in THREADS and v is not None and CASE not in str(v)]
        if fixed:
            self.warnings = ["every case has the %s %r, so a case sees those before it: %s" % (
                *fixed[0], "set it to %r" % CASE if self.config else "give each question its own")]
        elif self.method in ("chat", "achat") and not callable(getattr(target, "reset", None)):
            self.warnings = ["%s has chat and no reset: a case may see those before it" % hello["path"]]
        held = {"the default of %r" % n: p.default for n, p in self.takes.items()}
        kept = [] if self.warnings else conversations(owner, self.method in ("chat", "achat"))
        if kept:
            self.warnings = ["%s keeps a conversation (%s), so a case may see those before it and those asked at the same time: "
                             "make a new one for each question" % (hello["path"], ", ".join(kept))]
        for one in (getattr(owner, "__globals__", {}), getattr(owner, "__dict__", {})):
            held.update((repr(n), v) for n, v in one.items() if n.lower().strip("_") in HISTORY + ("messages",))
        self.held = [(n, v, len(v)) for n, v in held.items() if isinstance(v, (list, dict, set, collections.deque))]

    def leaks(self):
        """What a case should be warned about: state that every case shares, and a history that cases have changed."""
        warnings = list(self.warnings)
        if loop.blocked:
            warnings.append("%s is asynchronous and blocks the event loop (%s), so other questions wait: write def instead of async def, "
                            "or set concurrency to 1" % (hello["path"], loop.blocked))
        grown = [n for n, v, size in self.held if len(v) != size and not is_log(v)]
        if not grown or self.method in ("chat", "achat") and not self.warnings:
            return warnings
        return warnings + [
            "%s changes from case to case, so a case may see those before it: make a new one for each question" % ", ".join(grown)]

    def bind(self):
        """Finds the parameter for the question: the first positional one without a default, else one that is named so, else the first."""
        try:
            inspect.signature(self.call)
        except (TypeError, ValueError):
            return  # a builtin
        given = [p for p in self.takes.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.VAR_POSITIONAL)]
        named = [p for p in self.takes.values() if p.kind is p.KEYWORD_ONLY]
        first = given[0] if given and given[0].default is inspect.Parameter.empty else next(
            (p for n in QUESTION for p in given + named if p.name == n and (p.kind is not p.POSITIONAL_ONLY or p is given[0])), given[0] if given else
            next((p for p in named if p.default is p.empty), None))
        if first is None and any(p.kind is p.VAR_KEYWORD for p in self.takes.values()):
            self.keyword = QUESTION[0]
        elif first is None:
            raise Refusal("%s has no parameter for the question" % hello["path"])
        elif first not in given[:1]:
            self.keyword = first.name
        rest = {n: p for n, p in self.takes.items() if p is not first}
        self.extras = tuple(n for n in ("top_k", "metadata") if n in rest)
        lacking = [n for n, p in rest.items() if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and n not in self.extras]
        if lacking:
            raise Refusal("%s requires more than the question: expected a default for %s, or a function of the question that calls it" % (
                hello["path"], ", ".join(lacking)))

    def form(self):
        """Shows how the object is called."""
        value = "the input in send" if hello["send"] else "text"
        if self.keyword:
            value = "%s=%s" % (self.keyword, value)
        elif self.keys and not hello["send"]:
            value = "{%s}" % ", ".join("%s: %s" % (k, v if isinstance(v, str) else "[text]" if k == "messages" else "[]")
                                       for k, v in self.filled("text", "top_k").items())
        value = ", ".join([value] + ["%s=%s" % (n, n) for n in self.extras])
        if self.method != "__call__":
            return "%s.%s(%s)" % (kind_of(self.target), self.method, value)
        name, code = getattr(self.target, "__qualname__", None), getattr(self.target, "__code__", None)
        if name and code and "<lambda>" in name:  # others have the same name
            name += " of %s:%d" % (os.path.basename(code.co_filename), code.co_firstlineno)
        return "%s(%s)" % ("%s.%s" % (self.target.__module__, name) if name else kind_of(self.target), value)

    def ask(self, request):
        """Returns what the object returns, and everything a stream yields."""
        heard_in().set(Listener())
        allowed.set(request.get("limit"))
        value = request["question"]
        if "input" in request:
            value = request["input"]
        elif self.keys:
            value = self.filled(value, request.get("top_k"))
        # Without a number of passages, the default of the parameter counts.
        more = {n: request.get(n) for n in self.extras if request.get(n) is not None or self.takes[n].default is inspect.Parameter.empty}
        if self.config and any(CASE in str(v) for v in self.config.values()):
            # New for each question: a checkpointer may keep the threads of earlier runs.
            case = "%s-%s" % (request.get("id"), uuid.uuid4().hex[:8])
            more["config"] = {"configurable": {k: v.replace(CASE, case) if isinstance(v, str) else v for k, v in self.config.items()}}
        if self.method in ("chat", "achat"):
            # A question must not see those before it.
            with self.turns:
                if callable(getattr(self.target, "reset", None)):
                    self.target.reset()
                return self.asked(value, more)
        if self.method == "run" and is_workflow(self.target):
            return settle(self.workflow(value))
        if self.agents:
            with self.turns:
                before = self.last_steps()
                result = self.asked(value, more)
                if getattr(result, "state", "") != "max_steps_error" and any(  # which is read where an agent returns its full result
                        type(getattr(now, "error", None)).__name__ == "AgentMaxStepsError" and now is not was
                        for now, was in zip(self.last_steps(), before)):
                    heard_in().get().warnings.append("an agent ended at its maximum of steps: its answer may say no more than that")
                return result
        return self.asked(value, more)

    def last_steps(self):
        return [(getattr(getattr(agent, "memory", None), "steps", None) or [None])[-1] for agent in self.agents]

    def asked(self, value, more):
        if self.breakpoints:
            return self.until_stopped(value, more)
        return settle(self.call(**{self.keyword: value}, **more) if self.keyword else self.call(value, **more))

    def until_stopped(self, value, more):
        """Returns what invoke returns, marked if the graph stopped at a breakpoint before its end, which only its stream shows."""
        before = "" if self.method == "invoke" else "a"
        method = lambda name: getattr(self.target, before + name)
        chunks = method("stream")(value, stream_mode=["updates", "values"], **more)
        chunks = loop.run(listed(chunks)) if before else list(chunks)
        state = [chunk for mode, chunk in chunks if mode == "values"][-1]
        if not any(mode == "updates" and "__interrupt__" in chunk for mode, chunk in chunks) or (
                self.target.checkpointer and not settle(method("get_state")(more.get("config", {}))).next):
            return state
        return dict(state, __interrupt__=state.get("__interrupt__", []))

    def filled(self, question, top_k):
        """The input of an object that declares the names of its fields."""
        value = {}
        for key in self.keys:
            if key in QUESTION:
                value[key] = question
            elif key in HISTORY:
                value[key] = []
            elif key == "messages":
                value[key] = [{"role": "user", "content": question}]
            elif key in ("top_k", "k") and top_k:
                value[key] = top_k
        asks = any(key in QUESTION or key == "messages" for key in self.keys)
        if not asks and len(self.keys) == 1:
            return {self.keys[0]: question}
        return value if asks else {}

    async def workflow(self, value):
        # A workflow takes the fields that it declares, and must run inside the loop.
        named = value if isinstance(value, dict) else {"user_msg": value, "query": value, "question": value, "input": value}
        if not any(p.kind is p.VAR_KEYWORD for p in self.takes.values()):
            known = {k: v for k, v in named.items() if k in self.takes}
            return await self.call(**known) if known else await self.call(value)
        return await self.call(**named)


# The methods of what is documented to keep a conversation: a chat engine and a memory of LlamaIndex, a memory of LangChain, a
# session of the OpenAI Agents SDK, a chat of Google's SDK.
KEEPERS = (("chat", "reset", "chat_history"), ("put", "get_all", "reset"), ("load_memory_variables", "save_context"),
           ("get_items", "add_items"), ("send_message", "get_history"))


def used_by(owner):
    """The object and its parts by their names, or the global variables and those of the closure that a function uses."""
    if isinstance(owner, functools.partial):
        return dict(used_by(owner.func), **owner.keywords)
    if not hasattr(owner, "__code__"):
        return dict(getattr(owner, "__dict__", {}), **{"": owner})
    try:
        found = inspect.getclosurevars(owner)
    except (TypeError, ValueError):
        return {}
    return dict(found.globals, **found.nonlocals)


def conversations(owner, resets):
    """What an object, or a function by its variables, keeps of the questions before; what it resets is not kept."""
    code, parts = getattr(owner, "__code__", None), used_by(owner)
    resets = resets or code is not None and ("reset" in code.co_names or "clear" in code.co_names)
    return [] if resets else ["%s%s" % (n and n + ": ", type(v).__name__) for n, v in parts.items()
                              if not inspect.ismodule(v) and not inspect.isclass(v) and any(
                                  all(hasattr(type(v), name) for name in names) for names in KEEPERS)]


def is_log(held):
    """Whether a list is a log of calls, such as the history of a module of DSPy: each has messages of its own, and no case sees them."""
    return all(isinstance(one, collections.abc.Mapping) and "messages" in one for one in held)


def wrapped(pipeline):
    """A function that asks a Haystack pipeline, with the inputs that it requires."""
    given = {name: {key: "question" for key, one in inputs.items() if one.get("is_mandatory", True)} for name, inputs in pipeline.inputs().items()}
    given = ", ".join('"%s": {%s}' % (name, ", ".join('"%s": question' % key for key in keys)) for name, keys in given.items() if keys)
    found = [name for name, outputs in pipeline.outputs(include_components_with_connected_outputs=True).items() if "documents" in outputs]
    return "def ask(question):\n    return pipeline.run({%s}, include_outputs_from={%s})" % (given, ", ".join('"%s"' % name for name in found))


# In the configuration of a chain or graph, stands for the case and is new for each question.
CASE = "{{case_id}}"

# What with_config sets to name a conversation, of LangGraph and of RunnableWithMessageHistory.
THREADS = ("thread_id", "session_id", "conversation_id", "chat_id")


def configured(target):
    """What with_config set for a chain or graph, such as its thread_id."""
    config = getattr(target, "config", None)
    found = config.get("configurable") if isinstance(config, dict) else None
    return found if isinstance(found, dict) else None


def has_breakpoints(target):
    """Whether a graph, or one within it, was compiled to stop before or after a node."""
    return hasattr(target, "interrupt_before_nodes") and any(
        graph.interrupt_before_nodes or graph.interrupt_after_nodes for graph in [target, *dict(target.get_subgraphs(recurse=True)).values()])


def is_workflow(target):
    return any(c.__name__ == "Workflow" for c in type(target).__mro__)


def awaits(runnable, depth=0):
    """Whether a step of a runnable is only asynchronous, so that the whole is."""
    own = getattr(runnable, "__dict__", {})
    if any(callable(own.get(name)) and own.get("func") is None for name in ("afunc", "coroutine")):
        return True
    parts = [p for v in own.values() for p in (v.values() if isinstance(v, dict) else v if isinstance(v, (list, tuple)) else [v])]
    return depth < 8 and any(hasattr(type(p), "ainvoke") and awaits(p, depth + 1) for p in parts)


def parameters(call):
    try:
        return dict(inspect.signature(call).parameters)
    except (TypeError, ValueError):
        return {}


def input_keys(target):
    """The input keys of a chain; empty if it takes text or does not declare them."""
    keys = getattr(target, "input_keys", None)  # classic chains
    if isinstance(keys, (list, tuple)) and keys:
        return [str(k) for k in keys]
    for keys in (schema_keys, graph_keys):
        try:
            found = [k for k in keys(target) if k not in ("root", "__root__")]
        except Exception:
            # The declared schema is only a hint; the call decides.
            continue
        if found:
            return found
    # The schema of a sequence may lose the names that its first step declares.
    return input_keys(target.first) if hasattr(target, "first") else []


def schema_keys(target):
    if callable(getattr(target, "get_input_jsonschema", None)):
        schema = target.get_input_jsonschema()
    else:
        schema = target.get_input_schema().schema()
    return list(resolve(schema, schema).get("properties") or ())


def graph_keys(target):
    """The keys of a graph's state. Pydantic cannot make a schema of every class that graphs take."""
    builder = target.builder
    for name in ("input_schema", "input", "state_schema", "schema"):
        keys = getattr(getattr(builder, name, None), "__annotations__", None)
        if keys:
            return list(keys)
    return []


def resolve(schema, root):
    ref = schema.get("$ref", "")
    if ref.startswith("#/"):
        for part in ref[2:].split("/"):
            root = root[part]
        return root
    return schema


def cut(text, limit=200):
    text = " ".join(text.split())
    return text if len(text) <= limit else text[:limit] + "…"


def settle(result):
    """Awaits coroutines and collects streams."""
    if inspect.isawaitable(result):
        result = loop.run(result)
    if hasattr(result, "__aiter__") and not fields(result) and not hasattr(result, "source_nodes"):
        result = loop.run(collect(result))
    elif isinstance(result, collections.abc.Iterator) and callable(getattr(result, "fetchall", None)):
        result = result.fetchall()  # the cursor of a database
    elif isinstance(result, collections.abc.Iterator):
        pieces, returned = [], None
        while True:
            try:
                pieces.append(sound(next(result)))
            except StopIteration as end:
                returned = end.value
                break
        result = returned if is_result(returned) else join(pieces)
    return result


def is_result(returned):
    """Whether what a generator returns is its result, so that it yielded its progress, and not a count or the like."""
    own = returned if isinstance(returned, collections.abc.Mapping) else shown(returned)
    said = isinstance(returned, str) and returned.strip() or is_message(returned) or hasattr(returned, "source_nodes")
    return bool(said) or any(name in own for name in ANSWERS)


async def collect(stream):
    return join(await listed(stream))


async def listed(stream):
    return [sound(piece) async for piece in stream]


def join(pieces):
    """Joins the pieces of a stream. The last step of an agent has its whole answer."""
    kind = type(pieces[-1]) if pieces else str
    if re.search("Final|RunResult", kind.__name__) and all(type(p) is not kind for p in pieces[:-1]):
        return pieces[-1]
    if pieces and all(isinstance(p, str) for p in pieces):
        return gathered(pieces)
    if pieces and all(isinstance(p, bytes) for p in pieces):
        return b"".join(pieces)
    if pieces and all(isinstance(p, dict) for p in pieces) and any(is_framed(v) for p in pieces for v in p.values()):
        whole, texts = {}, {}
        for piece in pieces:
            for key, value in piece.items():
                if isinstance(value, str) and isinstance(whole.get(key, ""), str):
                    texts.setdefault(key, []).append(value)
                    whole[key] = value
                elif key in whole and is_message(whole[key]) and is_message(value):
                    whole[key] = whole[key] + value
                else:
                    whole[key] = value
                    texts.pop(key, None)
        return dict(whole, **{key: gathered(some) for key, some in texts.items()})
    if pieces and all(is_message(p) for p in pieces):
        try:
            whole = pieces[0]
            for piece in pieces[1:]:
                whole = whole + piece
            return whole
        except TypeError:
            return "".join(text_of(p) for p in pieces)
    if all(isinstance(p, dict) and any(isinstance(p.get(n), str) for n in TEXTS) and any(p.get(n) for n in DETAILS if n != "metadata") for p in pieces):
        return pieces  # rows, not events
    events = [text_of(p) if is_message(p) and not isinstance(p, dict) else p if isinstance(p, str) else
              message_of(p) if is_spoken(p) else fields(p) for p in pieces]
    if all(e == "" or e and not is_record(p) for e, p in zip(events, pieces)):
        # assay reads them as the events of a stream over HTTP.
        return "".join("data: %s\n\n" % json.dumps(as_json(e), allow_nan=False) for e in events) if events else ""
    if any(isinstance(p, str) or is_message(p) for p in pieces) and not all(isinstance(p, str) or is_scored(p) for p in pieces):
        raise Refusal("%s yields %s: it must yield pieces of text, or one dict with the answer and its documents" % (
            hello["path"], ", ".join(sorted({type(p).__name__ for p in pieces}))))
    return pieces


def is_framed(value):
    """Whether a value is a message or a passage of a framework, or a list of them, whose streams are joined as the framework does."""
    if isinstance(value, (list, tuple)):
        return any(is_framed(v) for v in value)
    return not isinstance(value, dict) and (is_message(value) or is_passage(value))


def gathered(texts):
    """The text of a stream whose events are pieces, or the whole text so far each time, as those of HTTP are told apart."""
    texts = [t for t in texts if t] or [""]
    first, last = texts[0], texts[-1]
    grows = all(b.startswith(a) for a, b in zip(texts, texts[1:]))
    repeats = all(t == first * (len(t) // max(len(first), 1)) for t in texts)
    if len(texts) > 1 and grows and (last != first and not repeats or len(first) >= 16 and not first.endswith("\n")):
        return last
    return "".join(texts)
