package cli

import "time"

// progressInterval is the time between two lines of progress if standard error is not a
// terminal.
const progressInterval = 30 * time.Second

// longWork shows the progress of long work: a bar on a terminal, otherwise a line every
// progressInterval.
func longWork(env *Env, quiet bool) (show func(what string, done, total int), end func()) {
	switch {
	case quiet:
		return nil, func() {}
	case env.StderrTTY:
		b := newBars(env.Stderr)
		b.stop = env.Interrupted
		return b.Preparing, b.close
	}
	last := env.Now()
	return func(what string, done, total int) {
		if now := env.Now(); now.Sub(last) >= progressInterval && done < total {
			last = now
			env.Warn("%s: %d of %d", what, done, total)
		}
	}, func() {}
}
