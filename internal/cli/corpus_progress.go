package cli

import "time"

// tellEvery is the time between two lines of progress off a terminal.
const tellEvery = 30 * time.Second

// uploadProgress shows how far an upload is: a bar on a terminal, elsewhere a
// line every so often.
func uploadProgress(env *Env, quiet bool) (show func(what string, done, total int), end func()) {
	switch {
	case quiet:
		return nil, func() {}
	case env.StderrTTY:
		b := newBars(env.Stderr)
		b.stop = env.Interrupted
		return b.Preparing, b.close
	}
	told := env.Now()
	return func(what string, done, total int) {
		if now := env.Now(); now.Sub(told) >= tellEvery && done < total {
			told = now
			env.Warn("%s: %d of %d", what, done, total)
		}
	}, func() {}
}
