

def heard_in():
    """The variable that holds the listener of the question that is being answered.

    Handlers of LangChain and LlamaIndex are for the whole process, so there is one of each, also when a program runs several
    evaluations at once: they pass what they hear to the listener of their context.
    """
    home = sys.modules.setdefault("_assay_listening", types.ModuleType("_assay_listening"))
    with vars(home).setdefault("turns", threading.Lock()):
        if not hasattr(home, "heard"):
            home.heard = contextvars.ContextVar("assay_heard", default=None)
        if "langchain_core" in sys.modules and not hasattr(home, "langchain"):
            home.langchain = hear_langchain(home.heard)
        if "llama_index.core" in sys.modules and not hasattr(home, "llamaindex"):
            home.llamaindex = hear_llamaindex(home.heard)
    return home.heard


class Step:
    """A call within the answer to a question: retrieve, filter, model, tool, or "" for anything else."""

    def __init__(self, kind, parent, **known):
        self.kind, self.parent = kind, parent
        self.name, self.model, self.input, self.output, self.usage, self.said = "", "", None, None, {}, ()
        self.began = self.ended = self.took = None
        self.failed = False
        self.__dict__.update(known)


class Listener:
    """Hears the steps of the answer to one question, from any thread."""

    def __init__(self):
        self.steps = {}  # by id, in the order of beginning
        self.queries = {}  # the answers of engines, by step
        self.warnings = []
        self.turns = threading.Lock()
        self.count = 0

    def begins(self, id_, kind, parent, **known):
        with self.turns:
            self.count += 1
            self.steps[id_] = step = Step(kind, parent, began=self.count, **known)
            step.clock = time.perf_counter()

    def becomes(self, id_, kind, **known):
        """Makes a step of no kind a search or a call, or begins one within it."""
        step = self.steps.get(id_)
        if step is None or step.kind:
            self.begins((id_, kind), kind, id_, **known)
        else:
            step.__dict__.update(known, kind=kind)

    def place(self, id_, kind):
        """The id of the step that an event of this kind ends."""
        return (id_, kind) if (id_, kind) in self.steps else id_

    def ends(self, id_, output, **known):
        with self.turns:
            step = self.steps.get(id_)
            if step is None or step.ended is not None:
                return
            self.count += 1
            step.ended, step.output, step.took = self.count, output, (time.perf_counter() - step.clock) * 1000
            step.__dict__.update(known)

    def fails(self, id_, error):
        """Marks a step that failed. Graphs raise exceptions of their own to continue elsewhere."""
        if id_ in self.steps and isinstance(error, Exception) and not any(c.__name__ == "GraphBubbleUp" for c in type(error).__mro__):
            self.steps[id_].failed = True

    def above(self, id_):
        """The ids of the steps that a step is part of."""
        out = []
        while id_ in self.steps and self.steps[id_].parent not in out:
            id_ = self.steps[id_].parent
            out.append(id_)
        return out

    def around(self, step):
        return [self.steps[id_] for id_ in [step.parent, *self.above(step.parent)] if id_ in self.steps]

    def within(self, step, *kinds):
        """Whether a step is part of one of these kinds."""
        return any(s.kind in kinds for s in self.around(step))

    def serves_filter(self, call):
        """Whether a call helps a filter to choose. A step that searches, or returns the reply, does more than filter."""
        return any(s.kind == "filter" and not (call.output and any(call.output in text for text in s.said)) and
                   not any(r.kind == "retrieve" and self.part_of(r, s) for r in self.steps.values()) for s in self.around(call))

    def found(self):
        """The searches and the filters, each in the order of their ends, as (kind, inputs, documents, step).

        A retriever that asks others counts as one, unless it compresses what they return. A step that makes a list of documents
        of others is a filter. Filters that follow each other are one. What a failed step found is none if another searched in its place.
        """
        done = [s for s in self.steps.values() if s.ended is not None]
        lasting = [s for s in done if not any(o.failed for o in self.around(s))]
        if any(s.kind == "retrieve" for s in lasting):
            done = lasting
        outer = [s for s in done if s.kind == "retrieve" and not compresses(s) and
                 not any(self.part_of(s, o) for o in done if o.kind == "retrieve" and not compresses(o))]
        filters = []
        for s in sorted(done, key=lambda s: s.ended):
            inside = [r for r in done if r.kind == "retrieve" and r is not s and self.part_of(r, s)]
            if s.kind == "retrieve" and compresses(s):
                s.input = [d for r in inside if r in outer for d in r.output]
            elif s.kind != "filter" or inside or same_documents(s.input, s.output):
                continue
            if not any(self.part_of(s, o) for o in done if o.kind == "retrieve" and not compresses(o)):
                filters.append(s)
        filters = [f for f in filters if not any(self.part_of(f, o) for o in filters)]
        merged = []
        for f in filters:
            before = next((m for m in merged if overlap(m[2], f.input)), None)
            if before is not None:
                merged.remove(before)
            merged.append(("filter", before[1] if before else f.input, f.output, f))
        return [("retrieve", r.input, r.output, r) for r in sorted(outer, key=lambda s: s.began)] + merged

    def part_of(self, step, other):
        return other in self.around(step)

    def passages(self):
        """The documents that the answer was made from, each once, the best of each search first; None if there was no search."""
        found = self.found()
        last = [f[2] for f in found if not any(f[0] == "retrieve" and g[0] == "filter" and overlap(f[2], g[1]) for g in found)]
        out = {}
        for d in (d for rank in itertools.zip_longest(*last) for d in rank if d is not None):
            out.setdefault(key_of(d), d)
        return list(out.values()) if last else None

    def stages(self, answer):
        """The stages in the form of a reply, in the order of their ends; the call that wrote the answer is last."""
        found = self.found()
        out = []
        for kind, given, documents, step in found:
            out.append((step.began if kind == "retrieve" else step.ended, dict(
                timing(step), name=kind, input=passages(given) if kind == "filter" else given, output=passages(documents))))
        calls = [s for s in self.steps.values() if s.kind == "model" and s.ended and
                 not self.within(s, "retrieve", "model") and not self.serves_filter(s)]
        first = min([f[3].ended for f in found if f[0] == "retrieve"], default=0)
        # What comes before the first search prepares it; of later calls, the reply of the generator is the answer, or most of it.
        fits = [s for s in calls if s.began > first and shared(s.output, answer)]
        wrote = max(fits, key=lambda s: (shared(s.output, answer), -len(s.output), s.ended), default=None)
        # Calls with the same reply refined it, each with some of the passages; or each wrote a part of the answer.
        parts = parts_of([s for s in calls if s.began > first], answer)
        same = parts or [s for s in fits if s.output == wrote.output]
        last = max((s for s in calls if s.began > first), key=lambda s: s.ended, default=None)
        if not same and last:  # the answer was in the call of a tool, was changed afterwards, or is empty
            wrote, same = last, [last]
        for s in calls:
            if s not in same:
                out.append((s.ended, dict(timing(s), name="model", model=s.model, input="\n\n".join(s.input), output=s.output, **s.usage)))
        for s in self.steps.values():
            if s.kind == "tool" and s.ended:
                out.append((s.ended, dict(timing(s), name="tool %s" % s.name, input=s.input, output=s.output)))
        out.sort(key=lambda one: one[0])
        out = [stage for _, stage in out]
        if same:
            texts = list(dict.fromkeys(text for s in same for text in s.input))
            out.append(dict(name="generate", model=wrote.model, input="\n\n".join(texts), output=answer if parts else wrote.output,
                            latency_ms=sum(s.took for s in same), **total(same)))
        return [{k: v for k, v in stage.items() if v not in (None, "")} for stage in out]

    def usage(self):
        """The tokens of all calls of models."""
        return total(s for s in self.steps.values() if s.kind == "model" and not self.within(s, "model"))

    def without_answers(self, named):
        """The passages that a result names, without those that are answers of an engine within another."""
        inner = tuple(said.rstrip() for id_, said in self.queries.items() if said.strip() and set(self.above(id_)) & set(self.queries))
        found = {passage(d).get("text") for f in self.found() for d in f[2]}
        return [p for p in named if p.get("text") in found or not (p.get("text") or "").rstrip().endswith(inner)]


def compresses(step):
    return re.search(r"(?i)compress|rerank", step.name) is not None


def shared(said, answer):
    """How much of a reply and the answer is the same: the length of the one within the other."""
    said, answer = " ".join((said or "").split()), " ".join(answer.split())
    return min(len(said), len(answer)) if said in answer or answer in said else 0


def parts_of(calls, answer):
    """Calls of which each wrote a part of the answer, at a place of its own; none if one of them did not."""
    left = " ".join(answer.split())
    for said in sorted((" ".join((s.output or "").split()) for s in calls), key=len, reverse=True):
        if not said or said not in left:
            return []
        left = left.replace(said, "\0", 1)
    return calls if len(calls) > 1 else []


def timing(step):
    return {"latency_ms": step.took}


def total(steps):
    out = {}
    for step in steps:
        for name, n in step.usage.items():
            out[name] = out.get(name, 0) + n
    return out


def key_of(document):
    p = passage(document)
    known = p.get("metadata") or {}
    return p.get("id") or str(known.get("chunk_id")), p.get("document_id") or str(known.get("document_id")), str(known.get("source")), p.get("text")


def overlap(documents, others):
    keys = {key_of(d) for d in documents}
    return any(key_of(d) in keys for d in others)


def same_documents(given, made):
    return [key_of(d) for d in given] == [key_of(d) for d in made]


def documents_in(value):
    """The documents of a list of them, of pairs with a score or of such lists, or of the lists of a dict; None if there are none."""
    if isinstance(value, collections.abc.Mapping):
        return [d for v in value.values() for d in documents_in(v) or ()] or None
    out = []
    for v in value if isinstance(value, (list, tuple)) else ():
        found = [v] if is_passage(v[0] if is_scored(v) else v) else isinstance(v, (list, tuple)) and (v and documents_in(v))
        if found is None or found is False:
            return None
        out += found
    return out or None


def received(inputs):
    """What a step of LangChain knows of the documents in its input: all, and those of each field."""
    lists = inputs.items() if isinstance(inputs, collections.abc.Mapping) else ()
    return {"input": documents_in(inputs), "lists": {k: documents_in(v) for k, v in lists if documents_in(v)}}


def chosen(step, outputs):
    """The documents that a node of a graph made of those in its input: fewer, or all in another order; None if it passes them on.

    They keep their field. In a new one they count if it is the only one, and the node says nothing beside them.
    """
    own, new = [], []
    for k, v in outputs.items():
        made = documents_in([v]) if v else []
        if isinstance(v, list) and made is not None and all(overlap([d], step.input) for d in made) and not any(
                same_documents(known, made) for known in [step.input, *step.lists.values()]):
            (own if k in step.lists else new if made else []).append(made)
    whole = next(filter(None, own), None)
    return new[0] if whole is None and len(new) == 1 and not step.said else whole if whole or not own else own[0]


def hear_langchain(heard):
    """Hears the callbacks of LangChain: those of every runnable, also within plain functions."""
    try:
        from langchain_core.callbacks import BaseCallbackHandler
        from langchain_core.tracers.context import register_configure_hook
    except ImportError:
        return None  # a version before them

    # The search that the code of this context is part of: a retriever may ask another without telling it so.
    searching = contextvars.ContextVar("assay_searching", default=None)

    class Callbacks(BaseCallbackHandler):
        run_inline = True  # in the context of what it hears

        def __init__(self, listener):
            self.listener, self.open = listener, set()

        def around(self):
            """The open search of this context. An asynchronous generator may end one in another context than it began."""
            id_ = searching.get()
            while id_ is not None and id_ not in self.open:
                step = self.listener.steps.get(id_)
                id_ = step and step.outer
            return id_

        def begins(self, run_id, kind, parent, **known):
            around = self.around()
            if around is not None and parent != around and around not in self.listener.above(parent):
                parent = around
            self.listener.begins(run_id, kind, parent, **known)

        def on_chain_start(self, serialized, inputs, *, run_id, parent_run_id=None, **more):
            self.begins(run_id, "", parent_run_id, **received(inputs))

        def on_chain_end(self, outputs, *, run_id, **more):
            step, made = self.listener.steps.get(run_id), None
            if step is not None and "inputs" in more:  # of a stream
                step.__dict__.update(received(more["inputs"]))
            if step is not None and step.input and isinstance(outputs, collections.abc.Mapping):
                step.said = [text_of(v) for v in outputs.values() if isinstance(v, str) or is_message(v) or
                             isinstance(v, list) and v and is_message(v[-1])]
                made = chosen(step, outputs)
            elif step is not None and step.input and isinstance(outputs, list):
                made = documents_in(outputs) if outputs else []
            if made is not None:
                step.kind = "filter"
            self.listener.ends(run_id, made)

        def on_chain_error(self, error, *, run_id, **more):
            self.listener.fails(run_id, error)

        on_tool_error = on_chain_error

        def on_retriever_start(self, serialized, query, *, run_id, parent_run_id=None, **more):
            name = "%s %s" % (more.get("name") or "", ".".join(map(str, (serialized or {}).get("id") or ())))
            self.begins(run_id, "retrieve", parent_run_id, name=name, input=query, outer=self.around())
            self.open.add(run_id)
            searching.set(run_id)

        def on_retriever_end(self, documents, *, run_id, **more):
            self.listener.ends(run_id, list(documents))
            self.on_retriever_error(None, run_id=run_id)

        def on_retriever_error(self, error, *, run_id, **more):
            self.open.discard(run_id)

        def on_tool_start(self, serialized, input_str, *, run_id, parent_run_id=None, **more):
            name = str(more.get("name") or (serialized or {}).get("name") or "")
            self.begins(run_id, "tool", parent_run_id, name=name, input=input_str)

        def on_tool_end(self, output, *, run_id, **more):
            self.listener.ends(run_id, text_of(output))

        def on_llm_start(self, serialized, prompts, *, run_id, parent_run_id=None, **more):
            self.begins(run_id, "model", parent_run_id, input=list(prompts), model=model_named(more))

        def on_chat_model_start(self, serialized, messages, *, run_id, parent_run_id=None, **more):
            texts = [text_of(m) for one in messages for m in one]
            self.begins(run_id, "model", parent_run_id, input=[t for t in texts if t], model=model_named(more))

        def on_llm_end(self, response, *, run_id, **more):
            made = next((g for some in response.generations for g in some), None)
            message = getattr(made, "message", None)
            used = usage_of(getattr(message, "usage_metadata", None)) or usage_of((response.llm_output or {}).get("token_usage"))
            text = getattr(made, "text", "") or (text_of(message) if message is not None else "")
            self.listener.ends(run_id, text, usage=used)

    def model_named(more):
        invoked = more.get("invocation_params") or {}
        return str((more.get("metadata") or {}).get("ls_model_name") or invoked.get("model_name") or invoked.get("model") or "")

    class Variable:
        """The variable of the hook: a handler for the listener of the context."""

        def get(self):
            listener = heard.get()
            if listener is not None and not hasattr(listener, "callbacks"):
                listener.callbacks = Callbacks(listener)
            return listener and listener.callbacks

    register_configure_hook(Variable(), True)
    return True


def hear_llamaindex(heard):
    """Hears the instrumentation of LlamaIndex."""
    try:
        from llama_index.core.instrumentation import get_dispatcher
        from llama_index.core.instrumentation.event_handlers import BaseEventHandler
        from llama_index.core.instrumentation.span_handlers import BaseSpanHandler
    except ImportError:
        return None  # a version before them

    class Spans(BaseSpanHandler):
        def new_span(self, id_, bound_args, instance=None, parent_span_id=None, tags=None, **more):
            listener = heard.get()
            if listener is not None:
                filters = "postprocess_nodes" in id_ and callable(getattr(instance, "postprocess_nodes", None))
                nodes = list(bound_args.arguments.get("nodes") or ()) if filters else None
                listener.begins(id_, "filter" if filters else "", parent_span_id, input=nodes)

        def prepare_to_exit_span(self, id_, bound_args, instance=None, result=None, **more):
            listener = heard.get()
            step = listener and listener.steps.get(id_)
            if step and step.kind in ("", "filter"):
                listener.ends(id_, list(result or ()) if step.kind else None)

        def prepare_to_drop_span(self, id_, bound_args, instance=None, err=None, **more):
            listener = heard.get()
            if listener is not None:
                listener.fails(id_, err)

    class Events(BaseEventHandler):
        def handle(self, event, **more):
            listener = heard.get()
            if listener is None:
                return
            name, span = event.class_name(), event.span_id
            if name == "QueryEndEvent":
                listener.queries[span] = str(getattr(event.response, "response", None) or "")
            kind = "retrieve" if name.startswith("Retrieval") else "model" if name.startswith(("LLMChat", "LLMCompletion")) else None
            if kind and name.endswith("StartEvent"):
                if kind == "retrieve":
                    asked = event.str_or_query_bundle
                    known = {"input": getattr(asked, "query_str", asked)}
                else:
                    told = event.model_dict
                    texts = [text_of(m) for m in event.messages] if hasattr(event, "messages") else [event.prompt]
                    model = str(told.get("model") or told.get("model_name") or "")
                    known = {"input": [t for t in texts if t], "model": "" if model == "unknown" else model}
                listener.becomes(span, kind, **known)
            elif kind == "retrieve" and name.endswith("EndEvent"):
                listener.ends(listener.place(span, kind), list(event.nodes))
            elif kind and name.endswith("EndEvent"):
                reply = event.response
                raw = getattr(reply, "raw", None)
                used = raw.get("usage") if isinstance(raw, collections.abc.Mapping) else getattr(raw, "usage", None)
                used = usage_of(used) or usage_of(getattr(used, "__dict__", None)) or usage_of(getattr(reply, "additional_kwargs", None))
                text = getattr(reply, "text", None) or text_of(getattr(reply, "message", None))
                listener.ends(listener.place(span, kind), text, usage=used)

    root = get_dispatcher()
    root.add_event_handler(Events())
    root.add_span_handler(Spans())
    return True
