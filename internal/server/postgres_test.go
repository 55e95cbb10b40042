package server

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/browsertest"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/postgrestest"
)

// postgres serves the tests below; what it is started for ends it.
var postgres postgrestest.Shared

func TestMain(m *testing.M) {
	code := browsertest.Run(m)
	if err := postgres.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// onPostgres is what a test's name begins with whose stores are on PostgreSQL.
const onPostgres = "TestOnPostgres/"

// opened opens a store at an address or a path.
func opened(t *testing.T, at string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestOnPostgres repeats the tests that keep something on PostgreSQL.
func TestOnPostgres(t *testing.T) {
	for name, test := range map[string]func(*testing.T){
		"ARunFromItsStartToItsReports":            TestARunFromItsStartToItsReports,
		"ARunThatAServerLeftIsFinishedByTheNext":  TestARunThatAServerLeftIsFinishedByTheNext,
		"AJobThatAServerLeftIsFinishedByTheNext":  TestAJobThatAServerLeftIsFinishedByTheNext,
		"AJobOfAServerThatDied":                   TestAJobOfAServerThatDied,
		"ARunIsCancelledAndGoesOn":                TestARunIsCancelledAndGoesOn,
		"ARunThatNobodyWorksOnIsInterrupted":      TestARunThatNobodyWorksOnIsInterrupted,
		"RunsAreComparedGatedAndLabelled":         TestRunsAreComparedGatedAndLabelled,
		"DatasetsAreUploadedAndRun":               TestDatasetsAreUploadedAndRun,
		"ReceiveTraces":                           TestReceiveTraces,
		"ARequestWithAKeyIsDoneOnce":              TestARequestWithAKeyIsDoneOnce,
		"TwoServersAnswerAKeyOnce":                TestTwoServersAnswerAKeyOnce,
		"ATokenIsGoodForItsScopeAndLess":          TestATokenIsGoodForItsScopeAndLess,
		"AReaderOfTheStoreCannotForgeASession":    TestAReaderOfTheStoreCannotForgeASession,
		"SignOutEndsTheSessionOnTheServer":        TestSignOutEndsTheSessionOnTheServer,
		"AProfileThatChangedIsAsked":              TestAProfileThatChangedIsAsked,
		"AProfileIsChangedAndReset":               TestAProfileIsChangedAndReset,
		"Documents":                               TestDocuments,
		"Query":                                   TestQuery,
		"AC01GenerateText":                        TestAC01GenerateText,
		"AC02GenerateAudio":                       TestAC02GenerateAudio,
		"AC05List":                                TestAC05List,
		"AC06Get":                                 TestAC06Get,
		"AC07Delete":                              TestAC07Delete,
		"AC08Evaluate":                            TestAC08Evaluate,
		"AC11Chunks":                              TestAC11Chunks,
		"AC12Response":                            TestAC12Response,
		"AC13Kept":                                TestAC13Kept,
		"AC14Unknown":                             TestAC14Unknown,
		"AC15JudgeFails":                          TestAC15JudgeFails,
		"APostgresThatIsAwayHoldsUpARunAndNoMore": testAway,
	} {
		t.Run(name, test)
	}
}

// testAway stops PostgreSQL under a run: the run waits, which a warning tells, is
// finished when PostgreSQL is back, and nothing is lost or there twice.
func testAway(t *testing.T) {
	pg := postgrestest.Start(t)
	target := newGated()
	b := startOn(t, opened(t, pg.URL("postgres")), withRivers(t), with(target))
	id := b.begin(`{"dataset":"rivers.jsonl"}`)
	heard := b.listen(id, "")
	target.open(1)
	events := heard.until("case")
	if err := pg.Stop(); err != nil {
		t.Fatal(err)
	}
	target.open(1)
	events = append(events, heard.until("warning")...)
	if last := events[len(events)-1].data; !strings.Contains(last, "cannot be reached") || !strings.Contains(last, "the run waits") ||
		strings.Contains(last, "planted") {
		t.Errorf("%s: want that the store is away, without its password", last)
	}
	// Others are told so, and the server lives.
	if g := b.do("GET", "/api/v1/runs/"+id, nil).want(t, 503); g.Header.Get("Retry-After") == "" {
		t.Error("no word of when to come again")
	}
	b.do("GET", "/readyz", nil).want(t, 503)
	b.do("GET", "/healthz", nil).want(t, 200)
	if err := pg.Restart(); err != nil {
		t.Fatal(err)
	}
	target.open(1)
	events = append(events, heard.until("done")...)
	var cases, warnings []string
	for _, e := range events {
		switch e.name {
		case "case":
			cases = append(cases, e.id)
		case "warning":
			warnings = append(warnings, e.data)
		}
	}
	if strings.Join(cases, " ") != "1 2 3" {
		t.Errorf("events of cases %v, want each once", cases)
	}
	if !strings.Contains(strings.Join(warnings, " "), "is back") {
		t.Errorf("%q: want that the store is back", warnings)
	}
	if v := b.ended(id); v.State != stateFinished || v.Done != 3 {
		t.Errorf("%+v: want a finished run", v)
	}
	for id, n := range target.seen {
		if n != 1 {
			t.Errorf("case %s was asked %d times, want once", id, n)
		}
	}
	b.do("GET", "/readyz", nil).want(t, 200)
}
