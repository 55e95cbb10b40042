

# Common names of a chain's question input.
QUESTION = ("question", "query", "input", "user_input", "user_question", "user_query", "human_input", "prompt", "q", "text", "request")
HISTORY = ("chat_history", "history", "conversation")

# Methods that take a question, each with its asynchronous form.
METHODS = (("invoke", "ainvoke"), ("query", "aquery"), ("chat", "achat"), ("retrieve", "aretrieve"), ("run", "arun"), ("__call__", None))


class Caller:
    """Asks one object questions in the input form that it accepts."""

    def __init__(self, target, top_k):
        if callable(getattr(target, "as_query_engine", None)) and not callable(getattr(target, "query", None)):
            target = engine(target, top_k)
        self.target = target
        self.chosen = None  # index of the input form that worked
        self.turns = threading.Lock()
        for sync, other in METHODS:
            self.sync, self.other = next(((n, other) for n in (sync, other) if n and callable(getattr(target, n, None))), ("", None))
            if self.sync:
                break
        else:
            raise Refusal("%s is %s: want a function, or an object with one of %s" % (
                hello["path"], kind_of(target), ", ".join(a for a, _ in METHODS[:-1])))
        # A function's signature lists its parameters, that of __call__ does not.
        self.call = target if self.sync == "__call__" else getattr(target, self.sync)
        self.takes = parameters(self.call)

    def ask(self, request):
        """Returns what the object returns, and everything a stream yields."""
        if "input" in request:
            return self.attempt(request["input"], request)
        forms = self.forms(request["question"], request)
        if self.chosen is not None:
            return self.attempt(forms[self.chosen][1], request)
        failures = []
        for place, (name, value) in enumerate(forms):
            try:
                result = self.attempt(value, request)
            except Exception as error:
                failures.append((name, error))
                if not misunderstood(error):
                    break
            else:
                self.chosen = place
                return result
        first = failures[0][1]
        if len(failures) == 1 or not misunderstood(failures[-1][1]):
            raise failures[-1][1]
        explain(first)
        raise Refusal("the object accepted none of the input forms that were tried: %s; set send: to the input of %s" % (
            "; ".join("%s: %s: %s" % (name, type(e).__name__, cut(str(e))) for name, e in failures), hello["path"]))

    def forms(self, question, request):
        """The possible input forms of the question, most likely first."""
        text = ("text", question)
        every = ("an object with question, query, input", {
            "question": question, "query": question, "input": question, "chat_history": []})
        messages = ("messages", {"messages": [{"role": "user", "content": question}]})
        if self.sync in ("query", "aquery", "chat", "achat", "retrieve", "aretrieve"):
            return [text]
        keys = input_keys(self.target)
        if not keys:
            return [text, every, messages]
        value = {}
        for key in keys:
            if key in QUESTION:
                value[key] = question
            elif key in HISTORY:
                value[key] = []
            elif key == "messages":
                value[key] = messages[1]["messages"]
            elif key in ("top_k", "k") and request.get("top_k"):
                value[key] = request["top_k"]
        if not value and len(keys) == 1:
            value = {keys[0]: question}
        forms = [every, text, messages]
        if value:
            forms.insert(0, ("an object with %s" % ", ".join(value), value))
        return forms

    def attempt(self, value, request):
        heard_in().set(Listener())
        more = {k: request.get(k) for k in ("top_k", "metadata") if k in self.takes and self.sync == "__call__"}
        if self.sync == "chat" or self.sync == "achat":
            # A question must not see those before it.
            with self.turns:
                if callable(getattr(self.target, "reset", None)):
                    self.target.reset()
                return settle(self.call(value))
        if self.sync == "run" and is_workflow(self.target):
            return settle(self.workflow(value))
        try:
            return settle(self.call(value, **more))
        except (NotImplementedError, TypeError) as error:
            other = getattr(self.target, self.other, None) if self.other else None
            if not callable(other) or not (isinstance(error, NotImplementedError) or re.search(r"\ba[a-z]+`|async|coroutine", str(error))):
                raise
            # Only the asynchronous form works, so use it from now on.
            result = settle(other(value))
            self.call, self.sync = other, self.other
            return result

    async def workflow(self, value):
        # A workflow takes the fields that it declares, and must run inside the loop.
        named = value if isinstance(value, dict) else {"user_msg": value, "query": value, "question": value, "input": value}
        if not any(p.kind is p.VAR_KEYWORD for p in self.takes.values()):
            known = {k: v for k, v in named.items() if k in self.takes}
            return await self.call(**known) if known else await self.call(value)
        return await self.call(**named)


def is_workflow(target):
    return any(c.__name__ == "Workflow" for c in type(target).__mro__)


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
    return []


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


def misunderstood(error):
    """Whether an exception looks as if the form of the question was wrong."""
    if isinstance(error, (KeyError, TypeError, AttributeError)):
        return True
    if type(error).__name__ == "InvalidUpdateError":  # of graphs
        return True
    return isinstance(error, ValueError) and re.search(r"(?i)input|key|variable|dict|\bstr|expected|message", str(error)) is not None


def cut(text, limit=200):
    text = " ".join(text.split())
    return text if len(text) <= limit else text[:limit] + "…"


def settle(result):
    """Awaits coroutines and collects streams."""
    if inspect.isawaitable(result):
        result = loop.run(result)
    if hasattr(result, "__aiter__") and not fields(result) and not hasattr(result, "source_nodes"):
        result = loop.run(collect(result))
    elif isinstance(result, collections.abc.Iterator):
        result = join(list(result))
    return result


async def collect(stream):
    return join([piece async for piece in stream])


def join(pieces):
    """Joins the pieces of a stream."""
    if pieces and all(isinstance(p, str) for p in pieces):
        return "".join(pieces)
    if pieces and all(isinstance(p, dict) for p in pieces):
        whole = {}
        for piece in pieces:
            for key, value in piece.items():
                if key in whole and isinstance(whole[key], str) and isinstance(value, str):
                    whole[key] += value
                elif key in whole and is_message(whole[key]) and is_message(value):
                    whole[key] = whole[key] + value
                else:
                    whole[key] = value
        return whole
    if pieces and all(is_message(p) for p in pieces):
        try:
            whole = pieces[0]
            for piece in pieces[1:]:
                whole = whole + piece
            return whole
        except TypeError:
            return "".join(text_of(p) for p in pieces)
    return pieces
