package preset_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/target/preset"
)

func TestMarkdown(t *testing.T) {
	t.Parallel()
	all, err := preset.All()
	if err != nil {
		t.Fatal(err)
	}
	got := preset.Markdown(all)
	for _, want := range []string{
		"| [`chroma`](#chroma) | Chroma | `collection`, the embedder of its vectors | passages |\n",
		"| [`dify`](#dify) | Dify | `api_key` | answers and passages |\n",
		"| [`pinecone`](#pinecone) | Pinecone | `api_key`, `--endpoint` | passages |\n",
		"\n## qdrant\n\nAsks a collection for the points",
		"Request: `POST /collections/{{collection}}/points/query`. Default endpoint: `http://localhost:6333`. API: <https://api.qdrant.tech/",
		"| `text_field` | field of the payload that holds the text; page_content for collections that LangChain made | `text` |\n",
		"| `api_key` | RAGFlow's key (secret) | required |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if n := strings.Count(got, "\n## "); n != len(all) {
		t.Errorf("%d sections: want %d", n, len(all))
	}
}
