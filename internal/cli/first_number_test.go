package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	shellquote "github.com/kballard/go-shellquote"

	"github.com/assay-eval/assay/internal/requiretest"
)

// A newUser has the folder of somebody who follows the table "Your first number" of the
// README, with what the table says that she has.
type newUser struct {
	t   *testing.T
	dir string
	// commands are those of her line of the table, in order.
	commands []string
}

// newUserWith finds the line of the table that begins with what the user has.
func newUserWith(t *testing.T, have string, files map[string]string) *newUser {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(requiretest.Root(), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	u := &newUser{t: t, dir: t.TempDir()}
	for line := range strings.Lines(string(readme)) {
		cells := strings.Split(line, " | ")
		if len(cells) == 3 && strings.HasPrefix(line, "| "+have) {
			for _, m := range regexp.MustCompile("`(assay [^`]+)`").FindAllStringSubmatch(cells[1], -1) {
				u.commands = append(u.commands, m[1])
			}
		}
	}
	if len(u.commands) == 0 {
		t.Fatalf("the README has no line for %q", have)
	}
	for name, data := range files {
		u.write(name, data)
	}
	return u
}

func (u *newUser) write(name, data string) {
	u.t.Helper()
	path := filepath.Join(u.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		u.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
		u.t.Fatal(err)
	}
}

// types runs a command with more flags, and returns what she sees, both streams together.
func (u *newUser) types(code int, command string, more ...string) string {
	u.t.Helper()
	words, err := shellquote.Split(command)
	if err != nil {
		u.t.Fatal(err)
	}
	got, stdout, stderr := runCLI(u.t, u.dir, append(words[1:], more...)...)
	if got != code {
		u.t.Fatalf("%s %q: exit code %d, want %d\n%s%s", command, more, got, code, stdout, stderr)
	}
	return stdout + stderr
}

// sees checks that expressions match a line each of what she sees.
func (u *newUser) sees(shown string, want ...string) {
	u.t.Helper()
	for _, w := range want {
		if !regexp.MustCompile("(?m)" + w).MatchString(shown) {
			u.t.Errorf("it lacks %s:\n%s", w, shown)
		}
	}
}

// library is what the engineer has: six rules with the word ticket, which four questions ask
// for, and a seventh document without it. The fifth question names that one as its source
// although it asks for tickets, so that no retriever of words has it among the first five:
// hit@5 is 4 of 5.
func library() map[string]string {
	files := map[string]string{"docs/harbour.md": "Boats leave the harbour at noon.\n"}
	questions := "Question,Answer,Source file\n"
	for i, topic := range []string{"dog", "bicycle", "child", "pram", "surfboard", "wheelchair"} {
		files["docs/"+topic+".md"] = fmt.Sprintf("# Rule %d\n\nA ticket for a %s costs %d dollars.\n", i, topic, i)
		if i < 4 {
			questions += fmt.Sprintf("What does a ticket for a %s cost?,%d dollars,%s.md\n", topic, i, topic)
		}
	}
	files["questions.csv"] = questions + "What does a ticket cost in dollars?,None,harbour.md\n"
	return files
}

const hitOfLibrary = `^ ?hit@5 +0\.800 .*…`

func TestFirstNumberOfRetrievers(t *testing.T) {
	t.Parallel()
	u := newUserWith(t, "documents", library())
	shown := u.types(0, u.commands[0], "--set", "cache=off")
	u.sees(shown, hitOfLibrary, "dense", "hybrid", `questions\.csv:1: Source file: read as expected_contexts;`)
}

// Her server wants another field than the usual one and answers in a shape of its own: each
// message says the flag that mends it, as it has to be typed.
func TestFirstNumberOfServer(t *testing.T) {
	t.Parallel()
	u := newUserWith(t, "a search server", library())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked map[string]string
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked["q"] == "" {
			w.WriteHeader(http.StatusUnprocessableEntity)
			fmt.Fprint(w, `{"detail":[{"type":"missing","loc":["body","q"],"msg":"Field required"}]}`)
			return
		}
		name := "ferry"
		for _, topic := range []string{"dog", "bicycle", "child", "pram"} {
			if strings.Contains(asked["q"], topic) {
				name = topic
			}
		}
		fmt.Fprintf(w, `{"neighbours": [{"dist": 0.1, "payload": {"uri": "s3://kb/%s.md", "body": "A ticket for a %[1]s."}}]}`, name)
	}))
	defer server.Close()
	command := strings.Replace(u.commands[0], "http://localhost:8000", server.URL, 1)
	shown := u.types(3, command)
	for range 2 {
		flag := regexp.MustCompile(`(--send '.*?'|--read [^ )]+)`).FindString(strings.ReplaceAll(shown, "\n", " "))
		if flag == "" || strings.Contains(command, flag) {
			t.Fatalf("no other flag is named:\n%s", shown)
		}
		command += " " + flag
		code := 3
		if strings.Contains(command, "--read") {
			code = 0
		}
		shown = u.types(code, command)
	}
	u.sees(shown, hitOfLibrary)
	// Labels with other folders than the server's names are told as the reason that nothing
	// is scored, before what the dataset lacks.
	table := regexp.MustCompile(`,(\w+\.md)\n`).ReplaceAllString(library()["questions.csv"], ",rules/$1\n")
	u.write("questions.csv", table)
	u.sees(u.types(0, command), `^ hit@5 +–  0 `, `^warning: hit@5 measured on no case: no passage of the run names a document`,
		`passages have names such as`, `"s3://kb/dog.md", and labels are such as "rules/bicycle.md"`)
}

// Of a real chain: each question gets both documents that are expected, or the one.
func TestFirstNumberOfLangChain(t *testing.T) {
	t.Parallel()
	u := newUserWith(t, "a LangChain chain", map[string]string{
		"questions.csv": "question,answer,file\n" +
			"\"Within how many days of purchase may goods be returned for a full refund, and does shipping to Europe take three working days?\"," +
			"Within 30 days.,returns.md;shipping.md\n\"Is the shop open from nine to five, and closed on Sundays?\",From nine to five.,hours.md\n",
	})
	python := requiretest.Env(t, "ASSAY_LANGCHAIN_PYTHON")
	if err := os.CopyFS(u.dir, os.DirFS(filepath.Join(requiretest.Root(), "target", "testdata", "langchain"))); err != nil {
		t.Fatal(err)
	}
	u.sees(u.types(0, strings.Replace(u.commands[0], ".venv/bin/python", python, 1)), `^ hit@3 +1\.000 +2 `, `^ recall@10 +1\.000 +2 `)
}

// Of spans that LangChain's instrumentation recorded.
func TestFirstNumberOfTraces(t *testing.T) {
	t.Parallel()
	u := newUserWith(t, "its traces", nil)
	recorded := filepath.Join(requiretest.Root(), "spans", "testdata", "langchain_openinference")
	if err := os.CopyFS(u.dir, os.DirFS(recorded)); err != nil {
		t.Fatal(err)
	}
	var expected []struct{ Question string }
	raw, err := os.ReadFile(filepath.Join(recorded, "expected.json"))
	if err == nil {
		err = json.Unmarshal(raw, &expected)
	}
	if err != nil || len(expected) == 0 {
		t.Fatalf("%d cases, %v", len(expected), err)
	}
	u.sees(u.types(0, u.commands[0]), fmt.Sprintf("%d cases written to traced", len(expected)))
	u.sees(u.types(0, u.commands[1]), `^ support ≈ +\d\.\d{3} .*`)
	// Labels are added by a table with the same question: fares.md is the first that was found.
	u.write("questions.csv", "question,file\n"+expected[0].Question+",fares.md\n")
	u.sees(u.types(0, u.commands[1], "--dataset", "questions.csv"), `^ hit@3 +1\.000 +1 `, `^ mrr@10 +1\.000 +1 `)
}

// A change that turns the results around ends with code 1 and a red test, and so does
// a program that is gone, with code 3.
func TestFirstNumberInCI(t *testing.T) {
	t.Parallel()
	requiretest.Command(t, "python3")
	u := newUserWith(t, "a program that answers", nil)
	for name, from := range map[string]string{"rag.py": "exec/rag.py", "gold.jsonl": "gold.jsonl"} {
		data, err := os.ReadFile(filepath.Join(requiretest.Root(), "examples", from))
		if err != nil {
			t.Fatal(err)
		}
		u.write(name, string(data))
	}
	u.sees(u.types(0, u.commands[0]), `^ hit@3 +1\.000 +2 `, `^ mrr@10 +1\.000 +2 `)
	u.types(0, u.commands[1])
	u.sees(u.types(0, u.commands[2]), "gate +PASS")
	code, err := os.ReadFile(filepath.Join(u.dir, "rag.py"))
	if err != nil {
		t.Fatal(err)
	}
	u.write("rag.py", strings.Replace(string(code), "key=lambda name: -len", "key=lambda name: len", 1))
	u.sees(u.types(1, u.commands[2]), `gate +FAIL · mrr@10 vs baseline`, `^ mrr@10 +0\.500 +2 `)
	report, err := os.ReadFile(filepath.Join(u.dir, "junit.xml"))
	if err != nil || !strings.Contains(string(report), `failures="1"`) {
		t.Errorf("%v: the JUnit report has no failure:\n%s", err, report)
	}
	u.sees(u.types(3, strings.Replace(u.commands[2], "rag.py", "gone.py", 1)), "the target failed all 2 cases; .*gone.py")
}

// One recogniser writes three of eight characters in the other script, in each of six
// utterances; the other makes no error. Of the 2^6 patterns of signs, 2 are as extreme.
func TestFirstNumberOfTranscripts(t *testing.T) {
	t.Parallel()
	u := newUserWith(t, "transcripts", nil)
	for i := range 6 {
		u.write(fmt.Sprintf("ref/u%d.txt", i), "打風嗰陣有冇船開？\n")
		u.write(fmt.Sprintf("whisper/u%d.wav.json", i), `{"text": "打风嗰阵有冇船开", "language": "yue"}`)
		u.write(fmt.Sprintf("vosk/u%d.srt", i), "1\n00:00:00,000 --> 00:00:02,000\n打風嗰陣有冇船開\n")
	}
	u.sees(u.types(0, u.commands[0]), `^\* characters +whisper/ +0\.375 +0\.375 +6 +48 +30 +18 +0 +0$`,
		`^ +vosk/ +0\.000 `, `^vosk/ +-0\.375 .* 0\.0312 +6 +6/0/0$`, `^vosk/ is better than whisper/ \(characters 0\.375 → 0\.000\)\.$`)
}

// By hand: of query 1, D1 and D2 are relevant and come first and third, so that the average
// precision is (1 + 2/3) / 2 and nDCG (1 + 1/2) / (1 + 1/log2(3)); of query 2 the relevant one
// is second, 1/2 and 1/log2(3). The other run has them first.
func TestFirstNumberOfRuns(t *testing.T) {
	t.Parallel()
	u := newUserWith(t, "TREC judgments", map[string]string{
		"qrels.txt": "1 0 D1 1\n1 0 D2 1\n2 0 D4 1\n",
		"bm25.run":  "1 Q0 D1 1 3 bm25\n1 Q0 D3 2 2 bm25\n1 Q0 D2 3 1 bm25\n2 Q0 D5 1 2 bm25\n2 Q0 D4 2 1 bm25\n",
		"dense.run": "1 Q0 D1 1 3 dense\n1 Q0 D2 2 2 dense\n2 Q0 D4 1 2 dense\n",
	})
	u.sees(u.types(0, u.commands[0]), `^ndcg@10 +0\.7753 .* 1\.0000 `, `^map +0\.6667 .* 1\.0000 `, `^map +dense\.run +\+0\.3333 `)
	// The names as trec_eval prints them, in one list.
	u.sees(u.types(0, u.commands[0], "-m", "ndcg_cut_10,map", "--format", "trec"), `^map +\tall\t0\.6667$`, `^ndcg_cut_10 +\tall\t0\.7753$`)
	// What trec_eval prints for a run of BM25 on SciFact.
	for name, file := range map[string]string{
		"qrels.txt": "scifact.qrels", "bm25.run": "scifact.bm25.k100.run", "dense.run": "scifact.bm25.k100.run",
	} {
		data, err := os.ReadFile(requiretest.Shared(t, "data/oracles/trec_eval/"+file))
		if err != nil {
			t.Fatal(err)
		}
		u.write(name, string(data))
	}
	u.sees(u.types(0, u.commands[0]), `^ndcg@10 +0\.6789 `, `^map +0\.6398 `)
}
