

def versions():
    """Versions that may affect results: Python and the packages in use."""
    out = {"python": ".".join(map(str, sys.version_info[:3]))}
    try:
        from importlib import metadata
    except ImportError:
        return out
    for package in ("langchain", "langchain-core", "langchain-classic", "langchain-community", "langgraph", "llama-index-core", "llama-index"):
        try:
            out[package] = metadata.version(package)
        except Exception:
            pass  # not installed
    return out


def tell(reply, heard):
    """Adds what was heard to a reply; what the reply says itself stands."""
    found, whole = heard.passages(), reply.get("whole")
    if found is not None:
        for name, named in list(whole.items()) if isinstance(whole, dict) else ():
            if isinstance(named, list) and named and all(isinstance(p, dict) and "text" in p for p in named):
                whole[name] = heard.without_answers(named)
        if isinstance(whole, dict) and not whole.get("source_nodes", True):
            del whole["source_nodes"]  # as of a custom engine that returns a text
        reply.setdefault("passages", passages(found))
    if not isinstance(whole, dict) or not any(name in whole for name in STAGES):
        stages = heard.stages(text_of(next((reply[k] for k in ("answer", "whole", "body", "returned_text") if k in reply), None)))
        if stages:
            reply["stages"] = stages
    used = heard.usage()
    if used:
        reply.setdefault("usage", used)


def handle(caller, request):
    try:
        result, status = unwrapped(sound(caller.ask(request)))
        if result is None and hello["kind"] != "scorer":
            raise Refusal("%s returned None: expected an answer, documents, or both" % hello["path"])
        if status >= 400:
            reply = {"status": status, "message": cut(text_of(result))}
        elif hello["raw"]:
            reply = {"result": result}
        else:
            reply = read(result)
            if status and "returned_text" in reply:
                reply["body"] = reply.pop("returned_text")
            tell(reply, heard_in().get())
        reply["warnings"] = list(reply.get("warnings", ())) + getattr(heard_in().get(), "warnings", []) + caller.leaks()
        reply["seq"] = request["seq"]
        send(reply)
    except BaseException as error:
        send({"seq": request["seq"], "error": explain(error), "again": outage(error)})


class Pool:
    """Threads that answer questions, as many as are asked at once; idle ones are reused.

    They are daemons: a question that is never answered must not keep a calling program from ending.
    """

    def __init__(self):
        self.waiting = queue.SimpleQueue()
        self.turns = threading.Lock()
        self.idle = 0

    def submit(self, work):
        with self.turns:
            begin = self.idle == 0
            self.idle -= 0 if begin else 1
        if begin:
            threading.Thread(target=self.work, args=(work,), name="assay", daemon=True).start()
        else:
            self.waiting.put(work)

    def work(self, work):
        while work is not None:
            work()
            del work
            with self.turns:
                self.idle += 1
            work = self.waiting.get()
        self.waiting.put(None)  # for the next thread

    def close(self):
        """Ends every thread as soon as it has no question to answer."""
        self.waiting.put(None)


def main():
    try:
        if hosted:
            target = given
            hello["path"] = getattr(given, "__qualname__", None) or "the target"
        elif hello["kind"] == "llamaindex" and os.path.isdir(hello["path"]):
            target = load_index(hello["path"])
        else:
            target = load(hello["path"])
        caller = Scorer(target) if hello["kind"] == "scorer" else Caller(target, hello["top_k"])
    except BaseException as error:
        send({"error": explain(error)})
        return
    send(dict(versions(), ready=True, asked=caller.form()))
    # The number of concurrent questions is decided by assay.
    pool = Pool()
    for line in requests:
        if line.strip():
            # Each question has the context variables of the program, as of a tracer.
            context = contextvars.copy_context()
            pool.submit(functools.partial(context.run, handle, caller, json.loads(line)))
    if hosted:
        pool.close()
        loop.close()


main()
if not hosted:
    sys.stderr.flush()
    # Library threads that never end must not keep the process alive.
    os._exit(0)
