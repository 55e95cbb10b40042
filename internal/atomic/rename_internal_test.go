package atomic

import (
	"errors"
	"testing"
	"time"
)

func TestPersistent(t *testing.T) {
	t.Parallel()
	open, broken := errors.New("open elsewhere"), errors.New("broken")
	for name, c := range map[string]struct {
		fails []error // of one call after the other; the last of them repeats
		want  error
		calls int
	}{
		"at once":               {[]error{nil}, nil, 1},
		"closed after a while":  {[]error{open, open, nil}, nil, 3},
		"another reason":        {[]error{open, broken}, broken, 2},
		"never closed":          {[]error{open}, open, 12}, // 1 + 2 + … + 1024 ms are the first to exceed 2 s
		"broken from the start": {[]error{broken}, broken, 1},
	} {
		calls, waited := 0, time.Duration(0)
		err := persistent(func() error {
			calls++
			return c.fails[min(calls, len(c.fails))-1]
		}, func(err error) bool { return err == open }, func(d time.Duration) { waited += d })
		if err != c.want || calls != c.calls {
			t.Errorf("%s: %v after %d calls: want %v after %d", name, err, calls, c.want, c.calls)
		}
		if waited > 2*patience {
			t.Errorf("%s: waited %v", name, waited)
		}
	}
}
