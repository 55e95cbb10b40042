package web

import (
	"net/http"
	"slices"
	"strings"

	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
)

// A reader is who reads a page, and how they want it.
type reader struct {
	// Lang is the code of the language.
	Lang string
	// Theme is "light", "dark" or "", which is that of the system.
	Theme string
	// Shortcuts is set if single keys do something (WCAG 2.2, 2.1.4).
	Shortcuts bool
	// Signed is set if the reader signed in, and can sign out.
	Signed bool
}

// The cookies of a reader's settings.
const (
	languageCookie  = "assay-language"
	themeCookie     = "assay-theme"
	shortcutsCookie = "assay-keys"
)

func (p *Pages) readerOf(r *http.Request) reader {
	cookie := func(name string, among ...string) string {
		c, err := r.Cookie(name)
		if err != nil || !slices.Contains(among, c.Value) {
			return ""
		}
		return c.Value
	}
	out := reader{Lang: cookie(languageCookie, report.Languages()...), Theme: cookie(themeCookie, "light", "dark")}
	out.Shortcuts = cookie(shortcutsCookie, "off") == ""
	if out.Lang == "" {
		out.Lang = report.Accept(r.Header.Get("Accept-Language"), p.cfg.Language)
	}
	if _, known := words.In(out.Lang); !known || out.Lang == "" {
		out.Lang = report.Languages()[0]
	}
	out.Signed = p.cfg.Tokens && Session(r) != ""
	return out
}

// settings is the page where a reader chooses the language and the theme.
func (p *Pages) settings(r *request) (view, error) {
	n := r.w.Names().WebNames
	data := struct {
		Languages, Themes, Shortcuts []option
		Back                         string
		Saved                        bool
	}{Back: local(r.values.Get("back")), Saved: r.values.Get("saved") != ""}
	for _, w := range words.All {
		data.Languages = append(data.Languages, option{w.Code, w.Name, w.Code == r.Lang})
	}
	data.Themes = themesOf(n, r.Theme)
	data.Shortcuts = []option{{"on", n.On, r.Shortcuts}, {"off", n.Off, !r.Shortcuts}}
	return view{Template: "settings", Title: n.SettingsTitle, Place: placeSettings, Data: data}, nil
}

// themesOf lists the themes; "" is that of the system.
func themesOf(n words.WebNames, chosen string) []option {
	return []option{{"system", n.SystemTheme, chosen == ""}, {"light", n.LightTheme, chosen == "light"}, {"dark", n.DarkTheme, chosen == "dark"}}
}

// An option is one of a choice.
type option struct {
	Value, Text string
	Chosen      bool
}

// saveSettings keeps the choices of a reader as cookies.
func (p *Pages) saveSettings(w http.ResponseWriter, r *http.Request) {
	for name, cookie := range map[string]string{"language": languageCookie, "theme": themeCookie, "keys": shortcutsCookie} {
		value := r.PostFormValue(name)
		if value == "" || len(value) > 20 || strings.ContainsAny(value, "\r\n;, \"\\") {
			continue
		}
		http.SetCookie(w, &http.Cookie{Name: cookie, Value: value, Path: "/", MaxAge: 365 * 24 * 3600, HttpOnly: true,
			SameSite: http.SameSiteLaxMode, Secure: r.TLS != nil})
	}
	back := local(r.PostFormValue("back"))
	if back == "" {
		back = "/settings?saved=1"
	}
	http.Redirect(w, r, back, http.StatusSeeOther)
}

// local returns an address of this server, "" if it is none.
func local(address string) string {
	if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") || strings.ContainsAny(address, "\\\r\n\t") {
		return ""
	}
	return address
}

// A key is a shortcut. The help lists it, and the script listens to what the help lists.
type key struct {
	// Keys are what is pressed, separated by spaces if several are pressed in turn. "Ctrl+"
	// stands for the command key of a Mac, too.
	Keys string
	// Does names what the script does.
	Does string
	Text func(words.WebNames) string
}

// keys lists the shortcuts, in the order of the help.
var keys = []key{
	{"Ctrl+k", "search", func(n words.WebNames) string { return n.KeySearch }},
	{"?", "help", func(n words.WebNames) string { return n.KeyHelp }},
	{"/", "filter", func(n words.WebNames) string { return n.KeyFilter }},
	{"g r", "runs", func(n words.WebNames) string { return n.KeyRuns }},
	{"g c", "comparison", func(n words.WebNames) string { return n.Compare }},
	{"g t", "trends", func(n words.WebNames) string { return n.Trends }},
	{"g f", "frontier", func(n words.WebNames) string { return n.Frontier }},
	{"g j", "lab", func(n words.WebNames) string { return n.KeyLab }},
	{"g d", "datasets", func(n words.WebNames) string { return n.KeyDatasets }},
	{"g n", "new", func(n words.WebNames) string { return n.KeyNew }},
	{"j", "next", func(n words.WebNames) string { return n.KeyNext }},
	{"k", "previous", func(n words.WebNames) string { return n.KeyPrevious }},
	{"Enter", "open", func(n words.WebNames) string { return n.KeyOpen }},
	{"Escape", "back", func(n words.WebNames) string { return n.KeyBack }},
	{"x", "mark", func(n words.WebNames) string { return n.KeyMark }},
	{"c", "compare", func(n words.WebNames) string { return n.KeyCompare }},
	{"p", "passage", func(n words.WebNames) string { return n.KeyPassage }},
	{"f", "class", func(n words.WebNames) string { return n.KeyClass }},
	{"d", "diff", func(n words.WebNames) string { return n.KeyDiff }},
	{"]", "claim", func(n words.WebNames) string { return n.KeyClaim }},
	{"[", "claimBefore", func(n words.WebNames) string { return n.KeyClaimBefore }},
	{"y", "right", func(n words.WebNames) string { return n.KeyRight }},
	{"n", "wrong", func(n words.WebNames) string { return n.KeyWrong }},
	{"u", "unsure", func(n words.WebNames) string { return n.KeyUnsure }},
	{"s", "skip", func(n words.WebNames) string { return n.KeySkip }},
	{"z", "undo", func(n words.WebNames) string { return n.KeyUndo }},
	{"m", "note", func(n words.WebNames) string { return n.KeyNote }},
	{"b", "blind", func(n words.WebNames) string { return n.KeyBlind }},
	{".", "link", func(n words.WebNames) string { return n.KeyLink }},
}
