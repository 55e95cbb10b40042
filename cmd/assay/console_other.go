//go:build !windows

package main

import "os"

// colourful tells whether a terminal understands the sequences that move the cursor and
// set colours: all do.
func colourful(*os.File) (ok bool) { return true }
