package checks

import (
	"context"
	"fmt"
	"strconv"

	"github.com/assay-eval/assay"
)

// latency does not apply without a measured time: 0 means that the target reports none.
func latency(_ context.Context, _ assay.Check, s Subject, limit float64) verdict {
	if s.Response.Latency <= 0 {
		return verdict{skipped: "the target reports no latency"}
	}
	took := s.Response.Latency.Seconds()
	return verdict{passed: took <= limit, why: fmt.Sprintf("took %.3g s, more than %v s", took, limit)}
}

// cost compares in micro-dollars, the unit in which costs are kept. 0 means that the target
// reports none, or that the price of its model is not known.
func cost(_ context.Context, _ assay.Check, s Subject, limit float64) verdict {
	is := s.Response.Usage.Cost
	if is <= 0 {
		return verdict{skipped: "the target reports no cost"}
	}
	return verdict{passed: float64(is) <= limit*1e6, why: fmt.Sprintf("cost %s, more than $%s", assay.Dollars(is), strconv.FormatFloat(limit, 'f', -1, 64))}
}
