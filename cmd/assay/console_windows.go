package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// colourful has a console understand the sequences that move the cursor and set colours;
// ok is false if it is too old for them. Other programs may have switched it off.
func colourful(f *os.File) (ok bool) {
	console := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	const wanted = windows.ENABLE_PROCESSED_OUTPUT | windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING
	return mode&wanted == wanted || windows.SetConsoleMode(console, mode|wanted) == nil
}
