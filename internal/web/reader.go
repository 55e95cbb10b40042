package web

import (
	"cmp"
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
	out.Lang = cmp.Or(out.Lang, report.Accept(r.Header.Get("Accept-Language"), p.cfg.Language))
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
	http.Redirect(w, r, cmp.Or(local(r.PostFormValue("back")), "/settings?saved=1"), http.StatusSeeOther)
}

// local returns an address of this server, "" if it is none.
func local(address string) string {
	if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") || strings.ContainsAny(address, "\\\r\n\t") {
		return ""
	}
	return address
}
