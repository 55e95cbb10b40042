package cli

import (
	"runtime/debug"
	"testing"
)

func TestGrowth(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		live uint64
		most int
		want int
	}{
		{0, 100, 1000}, {headroom / 2, 100, 200}, {headroom / 2, 150, 150}, {headroom, 100, 100}, {headroom, 300, 100}, {2 * headroom, 100, 50}, {100 * headroom, 100, leastGrowth}, {2 * headroom, 30, 30},
		{2 * headroom, -1, -1},
	} {
		if got := growth(c.live, c.most); got != c.want {
			t.Errorf("%d live, at most %d %%: %d %%, want %d", c.live, c.most, got, c.want)
		}
	}
}

// Not parallel: the growth is that of the process.
func TestBoundGrowth(t *testing.T) {
	was := debug.SetGCPercent(usualGrowth)
	defer debug.SetGCPercent(was)
	stop := boundGrowth()
	boundGrowth()() // another run, which must leave the bound
	if !growing.Load() {
		t.Error("the growth is not bounded")
	}
	stop()
	if now := debug.SetGCPercent(usualGrowth); now != usualGrowth || growing.Load() {
		t.Errorf("the growth stays at %d %%, want 100", now)
	}
}
