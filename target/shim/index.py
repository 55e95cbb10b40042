

# Run before an index is loaded, if it is in the working directory.
SETTINGS = "assay_settings.py"


def load_index(folder):
    """Loads an index that LlamaIndex persisted in a folder."""
    for name in ("docstore.json", "index_store.json"):
        if not os.path.isfile(os.path.join(folder, name)):
            raise Refusal("%s has no index: %s is missing: expected the folder that index.storage_context.persist wrote" % (folder, name))
    try:
        from llama_index.core import StorageContext, load_index_from_storage
    except ImportError as error:
        raise Refusal("%s: expected a Python that has llama-index-core (--python)" % error)
    if os.path.isfile(SETTINGS):
        run_file(os.path.abspath(SETTINGS))
    try:
        return load_index_from_storage(StorageContext.from_defaults(persist_dir=folder))
    except json.JSONDecodeError as error:
        raise Refusal("%s: a file of the index is not JSON (%s): expected the index persisted again" % (folder, error))
    except (ImportError, ValueError) as error:
        if not re.search(r"(?i)embed|openai", str(error)):
            raise
        raise Refusal(
            "%s: no embedding model (%s). The folder does not say which model made the index: set "
            "Settings.embed_model in a file %s where assay runs, or give your own file that loads the index: rag.py:index" % (
                folder, cut(str(error)), SETTINGS))


def engine(index, top_k):
    """A query engine for an index, or a retriever if there is no model to answer."""
    depth = {"similarity_top_k": top_k} if top_k else {}
    try:
        from llama_index.core import Settings
        Settings.llm
    except (ImportError, ValueError) as error:
        print("assay: no language model: the index gives passages and no answers (%s)" % cut(str(error)), file=sys.stderr)
        return index.as_retriever(**depth)
    return index.as_query_engine(**depth)
