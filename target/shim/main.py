

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


def handle(caller, request):
    try:
        heard = None if hello["raw"] else listener()
        result = caller.ask(request, heard)
        reply = {"result": result} if hello["raw"] else read(result)
        found = heard and heard.found()
        if found is not None and ("passages" not in reply or reply.get("joined")):
            reply["passages"] = passages(found)
            reply["warnings"] = [w for w in reply.get("warnings", ()) if w != JOINED]
        reply.pop("joined", None)
        reply["seq"] = request["seq"]
        send(reply)
    except BaseException as error:
        send({"seq": request["seq"], "error": explain(error)})


def main():
    global _folder
    try:
        if hosted:
            target, _folder = given, os.getcwd()
            hello["path"] = getattr(given, "__qualname__", None) or kind_of(given)
        elif hello["kind"] == "llamaindex" and os.path.isdir(hello["path"]):
            target = load_index(hello["path"])
        else:
            target = load(hello["path"])
        caller = Caller(target, hello["top_k"])
    except BaseException as error:
        send({"error": explain(error)})
        return
    send(dict(versions(), ready=True, asked="%s.%s" % (kind_of(caller.target), caller.sync)))
    # Idle threads are reused; the number of concurrent questions is decided by
    # the callers.
    pool = ThreadPoolExecutor(max_workers=512)
    for line in requests:
        if line.strip():
            pool.submit(handle, caller, json.loads(line))
    if hosted:
        pool.shutdown(wait=False)


main()
if not hosted:
    sys.stderr.flush()
    # Library threads that never end must not keep the process alive.
    os._exit(0)
