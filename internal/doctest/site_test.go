package doctest_test

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"golang.org/x/net/html"

	"github.com/assay-eval/assay/internal/browsertest"
	"github.com/assay-eval/assay/internal/requiretest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Run(m)) }

// siteFolder is where scripts/site.sh built the site.
func siteFolder(t *testing.T) string {
	t.Helper()
	return requiretest.Env(t, "ASSAY_SITE")
}

// A document is a page of the site as a browser gets it.
type document struct {
	ids   map[string]int
	links []string
}

func readDocument(t *testing.T, file string) document {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	root, err := html.Parse(f)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	d := document{ids: map[string]int{}}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			switch {
			case a.Key == "id":
				d.ids[a.Val]++
			case a.Key == "href" || a.Key == "src":
				d.links = append(d.links, a.Val)
			}
		}
	}
	return d
}

// TestSiteLinks: every link within the site leads to a file of it, and to a place in it; every
// other link is one that a reader follows by choice, over https.
func TestSiteLinks(t *testing.T) {
	t.Parallel()
	root := siteFolder(t)
	pages := map[string]document{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(file, ".html") {
			name, _ := filepath.Rel(root, file)
			pages[filepath.ToSlash(name)] = readDocument(t, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for name, page := range pages {
		for id, n := range page.ids {
			if n > 1 {
				t.Errorf("%s: %d elements have the id %q", name, n, id)
			}
		}
		for _, link := range page.links {
			u, err := url.Parse(link)
			if err != nil {
				t.Errorf("%s: %q: %v", name, link, err)
				continue
			}
			if u.Scheme != "" || u.Host != "" {
				if u.Scheme != "https" && u.Scheme != "data" && u.Scheme != "mailto" && !strings.HasPrefix(link, "http://www.w3.org/") {
					t.Errorf("%s: %q: want https", name, link)
				}
				continue
			}
			links++
			target := name
			if u.Path != "" {
				target = path.Join(path.Dir(name), u.Path)
			}
			if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(target))); err != nil || info.IsDir() {
				t.Errorf("%s: %q leads to no file", name, link)
			} else if to, ok := pages[target]; ok && u.Fragment != "" && to.ids[u.Fragment] == 0 {
				t.Errorf("%s: %q: %s has no such place", name, link, target)
			}
		}
	}
	if len(pages) < 80 || links < 5000 {
		t.Errorf("%d pages with %d links within the site", len(pages), links)
	}
}

// firstSought are what new users look for first, each with the place that should be among the first
// three that the search finds. They were chosen before the search was tried.
var firstSought = []struct{ words, page string }{
	{"install", "start/"},
	{"langchain", "start/langchain.html"},
	{"github actions", "ci.html"},
	{"confidence interval", "comparing.html"},
	{"faithfulness", "metrics/judged.html#faithfulness"},
	{"exit code", "ci.html#exit-codes"},
	{"compare two runs", "comparing.html"},
	{"csv dataset", "formats.html"},
	{"api key", "judging.html"},
	{"word error rate", "metrics/transcription.html#wer"},
	{"postgres", "store.html"},
	{"cost limit", "judging.html"},
}

// firstHits are the addresses of the first three hits.
const firstHits = `[...document.querySelectorAll("#search-results ul.search > li > a")].slice(0, 3).map((a) => a.getAttribute("href"))`

// within allows requests to the site alone.
func within(base string) func(address string) bool {
	return func(address string) bool {
		return strings.HasPrefix(address, base) || strings.HasPrefix(address, "data:")
	}
}

// TestSiteSearch asks the search of the site as it is served by any host, and as it is opened from
// the disk.
func TestSiteSearch(t *testing.T) {
	root := siteFolder(t)
	server := httptest.NewServer(http.FileServer(http.Dir(root)))
	defer server.Close()
	for _, base := range []string{server.URL, "file://" + root} {
		b := browsertest.New(t, within(base))
		for _, x := range firstSought {
			b.Do(chromedp.Navigate(base + "/search.html?q=" + url.QueryEscape(x.words)))
			b.Until(`document.querySelector("#search-results .search-summary, #search-results p")?.textContent.match(/\d|not match/) != null`)
			hits := browsertest.Eval[[]string](b, firstHits)
			found := false
			for _, hit := range hits {
				found = found || strings.Contains(hit, x.page)
			}
			if !found {
				t.Errorf("%s: %q: want %s among the first three, got %s", base, x.words, x.page, strings.Join(hits, " "))
			}
		}
		// From the disk a page may not read another: the hits have no excerpts.
		for _, fault := range b.Faults() {
			if base == server.URL || strings.HasPrefix(fault, "request") {
				t.Error(fault)
			}
		}
	}
}

// axeRun lists what violates the rules of WCAG 2.2, levels A and AA.
const axeRun = `window.found = undefined;
	axe.run(document, {resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}).then((r) => {
	window.found = r.violations.map((v) => v.id + ": " + v.nodes.slice(0, 2).map((n) => n.html.slice(0, 200)).join(" | ")).join("\n"); }); ""`

// TestSiteLooks: pages of each kind keep to the width of a screen, what is wider scrolls within,
// and they are accessible, in both themes.
func TestSiteLooks(t *testing.T) {
	root := siteFolder(t)
	axe, err := os.ReadFile(requiretest.Env(t, "ASSAY_AXE"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(root)))
	defer server.Close()
	b := browsertest.New(t, within(server.URL))
	for _, theme := range []string{"light", "dark"} {
		b.Media("screen", "prefers-color-scheme", theme)
		for _, width := range []int64{1280, 390} {
			b.Do(chromedp.EmulateViewport(width, 900))
			for _, name := range []string{"index", "start/speech", "comparing", "metrics/retrieval", "results/speed", "cli"} {
				b.Do(chromedp.Navigate(server.URL + "/" + name + ".html"))
				if wide := browsertest.Eval[int64](b, `document.documentElement.scrollWidth`); wide > width {
					t.Errorf("%s is %d pixels wide on a screen of %d", name, wide, width)
				}
				browsertest.Eval[bool](b, string(axe)+"; true")
				browsertest.Eval[string](b, axeRun)
				b.Until(`window.found !== undefined`)
				if found := browsertest.Eval[string](b, `window.found`); found != "" {
					t.Errorf("%s, %s, %d:\n%s", name, theme, width, found)
				}
			}
		}
	}
	b.Clean()
}
