package atomic

import (
	"os"
	"time"
)

// rename replaces a file. A system may refuse for as long as another process has the file
// open, which a reader, another writer or a scanner for viruses has for a moment.
func rename(from, to string) error {
	return persistent(func() error { return os.Rename(from, to) }, inUse, time.Sleep)
}

// patience is how long a rename waits for others to close the file that it replaces.
const patience = 2 * time.Second

// persistent calls do until it succeeds, fails for a reason that does not pass, or has been
// called for as long as patience.
func persistent(do func() error, passes func(error) bool, sleep func(time.Duration)) error {
	pause, waited := time.Millisecond, time.Duration(0)
	for {
		err := do()
		if err == nil || !passes(err) || waited >= patience {
			return err
		}
		sleep(pause)
		waited += pause
		pause *= 2
	}
}
