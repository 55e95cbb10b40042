package server

import (
	"strings"
	"testing"
)

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
