package server

import "path"

// removed are addresses of earlier versions, with what replaces them.
var removed = []struct{ pattern, instead string }{
	{prefix + "/comparisons", "GET /compare with cases=false has a comparison without its cases"},
	{prefix + "/comparisons/slices", "GET /runs/{run_id}/slices with baseline has the slices of a comparison"},
	{prefix + "/runs/*/facets", "the total of GET /runs/{run_id}/cases counts the cases of a filter"},
	{prefix + "/contents", onDatasetPage}, {prefix + "/contents/*/doubts", onDatasetPage}, {prefix + "/datasets/*/findings", onDatasetPage},
	{prefix + "/frontier", "the standings of GET /compare set quality against cost and latency"},
	{prefix + "/jobs/*/events", "GET /jobs/{job_id} has the progress of a job"},
	{prefix + "/datasets/*/cases", onPointsPage}, {prefix + "/datasets/*/cases/*/points", onPointsPage},
	{prefix + "/runs/*/cells", "GET /runs/{run_id}/cases has the scores of the cases, and their page the spread of each metric"},
	{prefix + "/runs/*/live", "GET /runs/{run_id}/events with cases=false has the progress of a run, and GET /runs/{run_id} its estimates so far"},
	{prefix + "/views", bookmark}, {prefix + "/views/*", bookmark}, {"/views", bookmark}, {"/views/*", bookmark}, {"/s/*", bookmark},
}

const onPointsPage = "the page /datasets/NAME/points shows and changes the points of cases; a program writes them into the file and uploads it"

const bookmark = "bookmark the address of a page, which has its filter, order and columns"

const onDatasetPage = "the page /datasets/NAME shows what runs and checks find in a dataset; assay dataset check FILE --json has the findings"

// insteadOf says that there is no such path, and what replaces it if an earlier version had it.
func insteadOf(address string) string {
	for _, r := range removed {
		if is, _ := path.Match(r.pattern, address); is {
			return "this address was removed: " + r.instead
		}
	}
	return "no such path: see /docs"
}
