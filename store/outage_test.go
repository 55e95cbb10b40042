package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/servertest"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/postgrestest"
	"github.com/assay-eval/assay/store/storetest"
)

// told gathers what a patient store says.
type told struct {
	mu    sync.Mutex
	lines []string
	first chan struct{} // closed with the first of them
}

func (t *told) tell(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lines = append(t.lines, text); len(t.lines) == 1 {
		close(t.first)
	}
}

// wants fails the test unless the lines are about so many outages: each is told
// when it begins and when it ends.
func (t *told) wants(test *testing.T, outages int) {
	test.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, line := range t.lines {
		if want := []string{"cannot be reached: ", "is back; the run continues after "}[i%2]; !strings.Contains(line, want) ||
			strings.Contains(line, "planted") || strings.Contains(line, "\n") {
			test.Errorf("line %d is %q: expected %q, without the password", i, line, want)
		}
	}
	if len(t.lines) != 2*outages {
		test.Errorf("told %q: expected %d outages", t.lines, outages)
	}
}

func patient(t *testing.T, url string) (*store.Store, *told) {
	said := &told{first: make(chan struct{})}
	return open(t, url).Patient(store.Patience{Limit: 10 * time.Minute, Now: time.Now, Tell: said.tell}), said
}

// locked makes a run and takes its lock.
func locked(t *testing.T, s *store.Store) (assay.Header, func() error) {
	t.Helper()
	h := storetest.Header(1)
	if err := s.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	unlock, err := s.Lock(t.Context(), h.ID)
	if err != nil {
		t.Fatal(err)
	}
	return h, unlock
}

// A server that is stopped and started, or killed, again and again loses
// nothing of a run that writes to it, and has nothing twice.
func TestOutage(t *testing.T) {
	t.Parallel()
	server := postgrestest.Start(t)
	url := server.URL("postgres")
	s, said := patient(t, url)
	h, unlock := locked(t, s)
	const rounds, each = 4, 30
	for round := range rounds {
		down := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() { // under the calls and records below
			end := server.Stop
			if round%2 == 1 {
				end = server.Kill
			}
			if err := end(); err != nil {
				t.Error(err)
			}
			close(down)
			if round == rounds-1 { // the others may be too short to be told of
				<-said.first
			}
			if err := server.Restart(); err != nil {
				t.Error(err)
			}
		})
		for w := range 4 {
			wg.Go(func() {
				for i := range each {
					c := storetest.Call(round*1000 + w*each + i)
					if err := s.PutCall(t.Context(), c); err != nil {
						t.Error(err)
					}
					if _, ok, err := s.Call(t.Context(), c.Key); !ok || err != nil {
						t.Errorf("call %s: %v, %v", c.Key, ok, err)
					}
				}
			})
		}
		for i := range each {
			if err := s.Put(t.Context(), h.ID, storetest.Records(2*(round*each+i), 2)...); err != nil {
				t.Fatal(err)
			}
		}
		<-down
		// One at least meets the server when it is away or was.
		h.State = fmt.Sprint("round ", round)
		if err := s.UpdateRun(t.Context(), h); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Run(t.Context(), h.ID); err != nil || got.State != h.State {
			t.Errorf("state %q, %v: want %q", got.State, err, h.State)
		}
		wg.Wait()
	}
	if _, err := open(t, url).Lock(t.Context(), h.ID); !errors.Is(err, store.ErrLocked) {
		t.Errorf("the lock is free after the outages: %v", err)
	}
	if err := unlock(); err != nil {
		t.Error(err)
	}
	said.wants(t, len(said.lines)/2)
	if len(said.lines) == 0 {
		t.Error("no outage was told of")
	}
	wantRun(t, s, h.ID, 2*rounds*each)
	if n := countCalls(t, s); n != rounds*4*each {
		t.Errorf("%d calls, want %d", n, rounds*4*each)
	}
}

func countCalls(t *testing.T, s *store.Store) int {
	t.Helper()
	n := 0
	for _, err := range s.Calls(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// wantRun wants a run to hold the records 0 to n-1, in the order in which they
// were put.
func wantRun(t *testing.T, s *store.Store, id string, n int) {
	t.Helper()
	kept, err := s.RecordsSince(t.Context(), id, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range kept {
		if k.Position != int64(i+1) || k.Record.Seq != i {
			t.Fatalf("position %d holds %d: want position %d with %d", k.Position, k.Record.Seq, i+1, i)
		}
	}
	if c, err := s.Counts(t.Context(), id); err != nil || c.Records != n || len(kept) != n {
		t.Errorf("%d records, counted as %d, %v: want %d", len(kept), c.Records, err, n)
	}
}

// A wire stands between a store and its server, and can be cut.
type wire struct {
	to string
	l  net.Listener

	mu    sync.Mutex
	pairs []pair
	// cut is what a client must say for its connection to be cut when the server
	// has answered, before the client hears of it; "" is nothing.
	cut string
	// silent keeps the server's end of a wire that is cut, as when a cable is
	// pulled.
	silent bool
	// refused ends what is asked for.
	refused bool
}

type pair struct{ client, server net.Conn }

func newWire(t *testing.T, to string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{to: to, l: l}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { w.carry(c) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		w.cutAll(false)
		wg.Wait()
	})
	return w
}

func (w *wire) url(url string) string { return strings.Replace(url, w.to, w.l.Addr().String(), 1) }

func (w *wire) carry(client net.Conn) {
	w.mu.Lock()
	if w.refused {
		w.mu.Unlock()
		client.Close()
		return
	}
	server, err := net.Dial("tcp", w.to)
	if err != nil {
		w.mu.Unlock()
		client.Close()
		return
	}
	w.pairs = append(w.pairs, pair{client, server})
	w.mu.Unlock()

	armed := make(chan struct{}, 1)
	go func() {
		buf := make([]byte, 1<<16)
		for {
			n, err := client.Read(buf)
			w.mu.Lock()
			silent := w.silent
			if w.cut != "" && bytes.Contains(buf[:n], []byte(w.cut)) {
				w.cut = ""
				armed <- struct{}{}
			}
			w.mu.Unlock()
			if n > 0 {
				server.Write(buf[:n])
			}
			if err != nil {
				if !silent {
					server.Close()
				}
				return
			}
		}
	}()
	buf := make([]byte, 1<<16)
	for {
		n, err := server.Read(buf)
		select {
		case <-armed:
			// The answer is there, and lost.
			client.Close()
			server.Close()
			return
		default:
		}
		if n > 0 {
			client.Write(buf[:n])
		}
		if err != nil {
			client.Close()
			if !errors.Is(err, io.EOF) {
				server.Close()
			}
			return
		}
	}
}

// cutAll cuts all connections; silently, so that the server does not notice.
func (w *wire) cutAll(silently bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.silent = silently
	for _, p := range w.pairs {
		p.client.Close()
		if !silently {
			p.server.Close()
		}
	}
	if !silently {
		w.pairs = nil
	}
}

func (w *wire) set(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f()
}

// A commit whose answer is lost is done once.
func TestCommitUnheard(t *testing.T) {
	t.Parallel()
	s := server.Server(t)
	direct := s.Database(t)
	w := newWire(t, s.Addr())
	st, said := patient(t, w.url(direct))
	h := storetest.Header(1)

	w.set(func() { w.cut = h.ID }) // it is among the values that go with the statement
	if err := st.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	if err := st.CreateRun(t.Context(), h); !errors.Is(err, store.ErrExists) {
		t.Errorf("the same run once more: %v", err)
	}
	for i, locked := range []bool{false, true} {
		if locked {
			unlock, err := st.Lock(t.Context(), h.ID)
			if err != nil {
				t.Fatal(err)
			}
			defer unlock()
		}
		w.set(func() { w.cut = "commit" })
		if err := st.Put(t.Context(), h.ID, storetest.Records(3*i, 3)...); err != nil {
			t.Fatal(err)
		}
		if err := st.Put(t.Context(), h.ID, storetest.Record(3*i)); !errors.Is(err, store.ErrExists) {
			t.Errorf("a record once more: %v", err)
		}
		w.set(func() { w.cut = "commit" })
		if err := st.PutCall(t.Context(), storetest.Call(i)); err != nil {
			t.Fatal(err)
		}
		w.set(func() { w.cut = "commit" })
		h.State = fmt.Sprint("state ", i)
		if err := st.UpdateRun(t.Context(), h); err != nil {
			t.Fatal(err)
		}
	}
	w.set(func() {
		if w.cut != "" {
			t.Errorf("nothing said %q", w.cut)
		}
	})
	said.wants(t, 0) // another connection is to be had at once
	other := open(t, direct)
	wantRun(t, other, h.ID, 6)
	if n := countCalls(t, other); n != 2 {
		t.Errorf("%d calls, want 2", n)
	}
	if got, err := other.Run(t.Context(), h.ID); err != nil || got.State != h.State {
		t.Errorf("state %q, %v: want %q", got.State, err, h.State)
	}
}

// Records that are being read when the connection breaks come once.
func TestReadUnheard(t *testing.T) {
	t.Parallel()
	s := server.Server(t)
	w := newWire(t, s.Addr())
	st, said := patient(t, w.url(s.Database(t)))
	h := storetest.Header(1)
	// More than what is on its way at once.
	const n = 3000
	if err := errors.Join(st.CreateRun(t.Context(), h), st.Put(t.Context(), h.ID, storetest.Records(0, n)...)); err != nil {
		t.Fatal(err)
	}
	next := 0
	for r, err := range st.Records(t.Context(), h.ID) {
		if err != nil || r.Seq != next {
			t.Fatalf("record %d, %v: want %d", r.Seq, err, next)
		}
		next++
		if next == 10 {
			w.cutAll(false)
		}
	}
	if next != n {
		t.Errorf("%d records, want %d", next, n)
	}
	said.wants(t, 0)
}

// Who loses the lock to another process, with the connection, writes nothing more.
func TestLockLost(t *testing.T) {
	t.Parallel()
	s := server.Server(t)
	direct := s.Database(t)
	w := newWire(t, s.Addr())
	mine, _ := patient(t, w.url(direct))
	other := open(t, direct)
	h, unlock := locked(t, mine)
	if err := mine.Put(t.Context(), h.ID, storetest.Record(0)); err != nil {
		t.Fatal(err)
	}
	w.cutAll(false)
	theirs, err := other.Lock(t.Context(), h.ID)
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"record": mine.Put(t.Context(), h.ID, storetest.Record(1)), "header": mine.UpdateRun(t.Context(), h),
	} {
		if !errors.Is(err, store.ErrLocked) || !strings.Contains(err.Error(), h.ID) {
			t.Errorf("%s: %v: want %v and the run", what, err, store.ErrLocked)
		}
	}
	wantRun(t, other, h.ID, 1)
	if err := errors.Join(unlock(), theirs()); err != nil {
		t.Error(err)
	}
}

// A connection that is broken without the server's knowledge keeps nobody from
// taking the own lock again.
func TestLockTakenAgain(t *testing.T) {
	t.Parallel()
	s := server.Server(t)
	direct := s.Database(t)
	w := newWire(t, s.Addr())
	mine, said := patient(t, w.url(direct))
	h, unlock := locked(t, mine)
	w.cutAll(true)
	if _, err := open(t, direct).Lock(t.Context(), h.ID); !errors.Is(err, store.ErrLocked) {
		t.Fatalf("%v: want %v: the server has noticed", err, store.ErrLocked)
	}
	if err := mine.Put(t.Context(), h.ID, storetest.Record(0)); err != nil {
		t.Fatal(err)
	}
	wantRun(t, open(t, direct), h.ID, 1)
	said.wants(t, 0) // a new connection was to be had at once
	if err := unlock(); err != nil {
		t.Error(err)
	}
	again, err := open(t, direct).Lock(t.Context(), h.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := again(); err != nil {
		t.Error(err)
	}
}

// Patience ends, and so does a run that is to stop.
func TestPatienceEnds(t *testing.T) {
	t.Parallel()
	s := server.Server(t)
	w := newWire(t, s.Addr())
	base := open(t, w.url(s.Database(t)))
	h := storetest.Header(1)
	if err := base.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	w.set(func() { w.refused = true })
	w.cutAll(false)
	stop := make(chan struct{})
	close(stop)
	// It is told of when the second attempt has failed.
	gone, cancel := context.WithCancel(t.Context())
	now := time.Now()
	clock := func() time.Time { now = now.Add(4 * time.Minute); return now }
	for name, test := range map[string]struct {
		p   store.Patience
		ctx context.Context
	}{
		"limit":  {store.Patience{Limit: 10 * time.Minute, Now: clock}, t.Context()},
		"stop":   {store.Patience{Limit: time.Hour, Now: time.Now, Stop: stop}, t.Context()},
		"cancel": {store.Patience{Limit: time.Hour, Now: time.Now, Tell: func(string) { cancel() }}, gone},
	} {
		said := told{first: make(chan struct{})}
		if test.p.Tell == nil {
			test.p.Tell = said.tell
		}
		err := base.Patient(test.p).Put(test.ctx, h.ID, storetest.Record(0))
		if !errors.Is(err, store.ErrAway) || !strings.Contains(err.Error(), "cannot be reached") || strings.Contains(err.Error(), "planted") {
			t.Errorf("%s: %v", name, err)
		}
		if name == "limit" && (len(said.lines) != 1 || !strings.Contains(said.lines[0], "the run waits for up to ")) {
			t.Errorf("%s: told %q: want the outage, once", name, said.lines)
		}
	}
	if err := base.Ping(t.Context()); err == nil {
		t.Error("a ping of a server that is away says that it is there")
	}
	w.set(func() { w.refused = false })
	if err := base.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	if n, err := base.Counts(t.Context(), h.ID); err != nil || n.Records != 0 {
		t.Errorf("%+v, %v: want no record", n, err)
	}
}

// What belongs to somebody else is refused with a reason, and nothing says the
// password.
func TestForeignPostgres(t *testing.T) {
	t.Parallel()
	s := server.Server(t)
	other, newer, beside := s.Empty(t), s.Database(t), s.Empty(t)
	postgrestest.Exec(t, other, `CREATE TABLE cats (name text)`)
	postgrestest.Exec(t, newer, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, true)`)
	postgrestest.Exec(t, beside, `CREATE TABLE cats (name text)`, `CREATE SCHEMA mine`)
	password := strings.NewReplacer("/", "%2F", "@", "%40", "%", "%25").Replace(servertest.Password)
	for _, test := range []struct {
		url  string
		is   error
		says string
	}{
		{other, store.ErrNotStore, `schema "public" contains the tables of another program`},
		{newer, store.ErrNewer, "schema is 99, and this version of assay supports up to 10"},
		{other + "&search_path=nowhere", nil, `search_path "nowhere": no such schema`},
		{strings.Replace(other, "/test_", "/absent_", 1), nil, `there is no database "absent_`},
		{strings.Replace(other, "postgres:planted", "postgres:planted-wrong", 1), nil, `the server rejects user "postgres"`},
		{strings.Replace(other, password, "planted%zz", 1), nil, "cannot be parsed"},
		{other + "&nonsense=planted", nil, "nonsense"},
		{"postgres://x:planted@host:port/db", nil, "cannot be parsed"},
		{"postgres://x:planted@127.0.0.1:1/db", store.ErrAway, "cannot be reached"},
		{"postgresql://x:planted-secret@/db?host=/nowhere", store.ErrAway, "cannot be reached"},
	} {
		st, err := store.Open(t.Context(), test.url)
		if err == nil {
			st.Close()
		}
		if err == nil || test.is != nil && !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.says) ||
			strings.Contains(err.Error(), "planted") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: want %v, %q, and no password", err, test.is, test.says)
		}
	}
	if err := open(t, beside+"&search_path=mine").CreateRun(t.Context(), storetest.Header(1)); err != nil {
		t.Error(err)
	}
	if name := open(t, s.Database(t)).Name(); strings.Contains(name, "planted") || !strings.HasPrefix(name, "postgres://postgres@127.0.0.1:") {
		t.Errorf("the store is called %q", name)
	}
}

// Processes that find an empty database make the schema once.
func TestOpenPostgresAtTheSameTime(t *testing.T) {
	t.Parallel()
	url := server.Server(t).Empty(t)
	openTogether(t, url, 6)
	// The order of ids is that of bytes, in whatever language the database is.
	s := open(t, url)
	for _, id := range []string{"a-B", "a-b", "aA", "a.b"} {
		h := storetest.Header(9)
		h.ID, h.Name = id, "same"
		if err := s.CreateRun(t.Context(), h); err != nil {
			t.Fatal(err)
		}
	}
	page, _, err := s.RunPage(t.Context(), store.RunQuery{Name: "same"})
	var ids []string
	for _, h := range page {
		ids = append(ids, h.ID)
	}
	if want := []string{"aA", "a.b", "a-b", "a-B"}; err != nil || !slices.Equal(ids, want) {
		t.Errorf("runs in the order %q, %v: want %q", ids, err, want)
	}
}
