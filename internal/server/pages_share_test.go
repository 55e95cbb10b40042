package server

import (
	"net/http"
	"strings"
	"testing"
)

// TestRemovedAddresses says of an address of earlier versions what replaces it.
func TestRemovedAddresses(t *testing.T) {
	b := start(t)
	for _, path := range []string{"/views", "/s/mine", "/api/v1/views", "/api/v1/views/mine"} {
		if g := b.do("GET", path, nil).want(t, http.StatusNotFound); !strings.Contains(g.text, "was removed: the address of a page") {
			t.Errorf("%s: %s", path, g.text)
		}
	}
}

// TestPagesShare copies the link of a page after its part was replaced, by keyboard.
func TestPagesShare(t *testing.T) {
	b := start(t)
	b.stored("a", strings.Repeat("10x", 40))
	v := b.visit()
	v.open("/runs/a/cases")
	v.Click(`.pages a[rel=next]`)
	v.at("/runs/a/cases?page=2")
	v.text(`window.kept = ""; Object.defineProperty(navigator, "clipboard", {value: {writeText: async (s) => { window.kept = s; }}}); ""`)
	v.keys(".")
	v.Until(`window.kept === location.href && document.querySelector(".share .copy").textContent === "The link is copied."`)
	v.Until(`document.querySelector(".share .copy").textContent === "Copy link"`)
	v.Clean()
}
