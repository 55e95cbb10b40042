package cli

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// headroom is how much the heap may grow beyond what is live before it is collected,
	// and leastGrowth the least growth in percent of what is live: to collect more often
	// would cost more time than it saves memory.
	headroom, leastGrowth = 40 << 20, 25
	// usualGrowth is that of a process whose user set none (GOGC), in percent.
	usualGrowth = 100
	// leastLive is taken for what is live if that is less.
	leastLive = 4 << 20
	// growthPause is how often the growth is set.
	growthPause = 50 * time.Millisecond
)

// growing is set while the growth of the process is bounded.
var growing atomic.Bool

// boundGrowth bounds the memory that is held for nothing, until stop is called, and lets
// small heaps grow so far. By default the heap grows to twice what is live: for a million
// cases that is hundreds of megabytes, and for thousands so little that collecting takes a
// tenth of the time. If another command of the process does so already, it does nothing.
func boundGrowth() (stop func()) {
	if !growing.CompareAndSwap(false, true) {
		return func() {}
	}
	most := debug.SetGCPercent(usualGrowth)
	end := make(chan struct{})
	var follow sync.WaitGroup
	follow.Go(func() {
		pause := time.NewTicker(growthPause)
		defer pause.Stop()
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		for set := usualGrowth; ; {
			metrics.Read(live)
			if now := growth(live[0].Value.Uint64(), most); now != set {
				debug.SetGCPercent(now)
				set = now
			}
			select {
			case <-end:
				return
			case <-pause.C:
			}
		}
	})
	return func() {
		close(end)
		follow.Wait()
		debug.SetGCPercent(most)
		growing.Store(false)
	}
}

// growth returns by how many percent of what is live the heap may grow. It is at most what
// the user set, who can also have turned the collector off, with a negative number.
func growth(live uint64, most int) int {
	if most == usualGrowth {
		most = math.MaxInt
	}
	return min(most, max(int(headroom*100/max(live, leastLive)), leastGrowth))
}
