package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

// postgresForm is how an address is written.
const postgresForm = "postgres://USER@HOST:PORT/DATABASE"

var postgresDriver = Driver{
	Title:   "PostgreSQL",
	Form:    postgresForm,
	Doc:     "for several machines; password: URL, PGPASSWORD or ~/.pgpass",
	Schemes: []string{"postgres://", "postgresql://"},
	open:    func(ref string, _ bool) (database, error) { return newPostgres(ref) },
	remote:  remotePostgres,
}

// postgres is a database of a PostgreSQL server.
type postgres struct {
	cfg *pgx.ConnConfig
	// sessions are the connections that hold locks, one each.
	sessions *sql.DB
}

// Limits on the connections of one process, in addition to one for each run that it
// works on. PostgreSQL's default is 100 in all.
const (
	postgresWriters = 4
	postgresReaders = 8
)

// idle is how long an unused connection is kept.
const idle = 5 * time.Minute

func newPostgres(ref string) (*postgres, error) {
	cfg, err := pgx.ParseConfig(ref)
	if err != nil {
		// The parser's error may contain part of the password.
		return nil, errors.New("store: the address of a PostgreSQL database cannot be parsed: expected " + postgresForm + ", with " +
			"characters such as \"@\", \"/\" and \"%\" in a password written as %40, %2F and %25, and no parameters but PostgreSQL's")
	}
	if cfg.RuntimeParams["application_name"] == "" {
		cfg.RuntimeParams["application_name"] = "assay " + strconv.Itoa(os.Getpid())
	}
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = 10 * time.Second
	}
	// A server that disappeared is detected within half a minute.
	cfg.DialFunc = (&net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second,
		Count: 3}}).DialContext
	return &postgres{cfg: cfg}, nil
}

func (p *postgres) name() string {
	u := url.URL{Scheme: "postgres", User: url.User(p.cfg.User), Host: net.JoinHostPort(p.cfg.Host, strconv.Itoa(int(p.cfg.Port))), Path: "/" +
		p.cfg.Database}
	if strings.HasPrefix(p.cfg.Host, "/") {
		u.Host, u.RawQuery = "", fmt.Sprintf("host=%s&port=%d", p.cfg.Host, p.cfg.Port)
	}
	return u.String()
}

func (p *postgres) dialect() goose.Dialect { return goose.DialectPostgres }

func (p *postgres) vacuum() []string {
	return []string{`VACUUM (ANALYZE) runs`, `VACUUM (ANALYZE) records`, `VACUUM (ANALYZE) texts`,
		`VACUUM (ANALYZE) calls`, `VACUUM (ANALYZE) items`}
}

func (p *postgres) exclude(table string) []string {
	return []string{`LOCK TABLE ` + table + ` IN SHARE ROW EXCLUSIVE MODE`}
}

// present implements [database]. It does not wait for transactions that store records, which
// change no key.
func (p *postgres) present() string { return `SELECT 1 FROM runs WHERE id = $1 FOR KEY SHARE` }

func (p *postgres) look(ctx context.Context) (version int64, err error) {
	db := p.connect(1, prepare)
	defer func() { err = errors.Join(err, db.Close()) }()
	return p.inspect(ctx, db)
}

func (p *postgres) connect(conns int, prepare func(context.Context, *pgx.Conn) error) *sql.DB {
	db := stdlib.OpenDB(*p.cfg, stdlib.OptionAfterConnect(prepare))
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	db.SetConnMaxIdleTime(idle)
	return db
}

// Unanswered is how long the server keeps the connection of a machine that is gone, without
// having closed it, and with it the locks of its processes: the idle time and the probes of
// [prepare], of which the last decides.
const Unanswered = 5*time.Second + 3*2*time.Second

// prepare makes commits durable even if the server's default is asynchronous, and has the
// server ask an idle connection whether this machine is there. A process that is stopped within a
// transaction loses its locks after a while.
func prepare(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(ctx,
		`SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local');
		SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3;
		SET idle_in_transaction_session_timeout = '20s'`,
		pgx.QueryExecModeSimpleProtocol)
	return err
}

// prepareSession is prepare for a connection that holds a lock. The server asks only where it
// has nothing to send, and would send a reply again for a quarter of an hour; here it gives up as
// early, if it has the setting (PostgreSQL 12). Other connections must not have it: it also ends
// those that read a long reply slowly.
func prepareSession(ctx context.Context, c *pgx.Conn) error {
	if err := prepare(ctx, c); err != nil {
		return err
	}
	_, err := c.Exec(ctx, fmt.Sprintf(`SELECT set_config('tcp_user_timeout', '%d', false) WHERE current_setting('tcp_user_timeout', true) IS NOT NULL`,
		(Unanswered-time.Second).Milliseconds()), pgx.QueryExecModeSimpleProtocol)
	return err
}

func (p *postgres) open(ctx context.Context) (write, read *sql.DB, version int64, err error) {
	write, read, p.sessions = p.connect(postgresWriters, prepare), p.connect(postgresReaders, prepare), p.connect(0, prepareSession)
	// A connection that held a lock is closed, which releases the lock.
	p.sessions.SetMaxIdleConns(-1)
	if err = keepsSessions(ctx, read); err == nil {
		version, err = p.inspect(ctx, read)
	}
	return write, read, version, err
}

func (p *postgres) close() error {
	if p.sessions == nil {
		return nil
	}
	return p.sessions.Close()
}

// inspect returns the schema's version, 0 if there is none yet. It writes nothing.
func (p *postgres) inspect(ctx context.Context, db *sql.DB) (int64, error) {
	var schema sql.NullString
	var encoding string
	if err := db.QueryRowContext(ctx, `SELECT current_schema(), current_setting('server_encoding')`).Scan(&schema, &encoding); err != nil {
		return 0, err
	}
	switch {
	case !schema.Valid:
		return 0, fmt.Errorf("search_path %q: no such schema: expected an existing one", p.cfg.RuntimeParams["search_path"])
	case encoding != "UTF8":
		return 0, fmt.Errorf("%w: its encoding is %s: expected one that was created with ENCODING 'UTF8'", ErrNotStore, encoding)
	}
	// Tables of extensions are ignored.
	var tables, marks, versions int64
	err := db.QueryRowContext(ctx,
		`SELECT count(*), count(*) FILTER (WHERE relname = 'assay_application'), count(*) FILTER (WHERE relname = 'goose_db_version')
		FROM pg_catalog.pg_class c WHERE relkind IN ('r', 'p') AND relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema())
		AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend WHERE classid = 'pg_catalog.pg_class'::regclass AND objid = c.oid AND deptype = 'e')`).
		Scan(&tables, &marks, &versions)
	switch {
	case err != nil || tables == 0:
		return 0, err
	case marks == 0:
		return 0, fmt.Errorf("%w: schema %q contains the tables of another program: expected an empty database, or one of its schemas, as in "+
			"\"?search_path=assay\"", ErrNotStore, schema.String)
	case versions == 0:
		return 0, nil
	}
	return schemaVersion(ctx, db)
}

func (p *postgres) begin(ctx context.Context, _ *sql.DB) (schema *sql.DB, end func() error, err error) {
	c, err := p.sessions.Conn(ctx)
	if err != nil {
		return nil, nil, err
	}
	key, err := p.key(ctx, c, "migrate", "")
	if err == nil {
		_, err = c.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, key)
	}
	if err == nil {
		_, err = c.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS assay_application (id bigint NOT NULL PRIMARY KEY)`)
	}
	if err == nil {
		_, err = c.ExecContext(ctx, `INSERT INTO assay_application (id) VALUES ($1) ON CONFLICT (id) DO NOTHING`, applicationID)
	}
	if err != nil {
		return nil, nil, errors.Join(err, c.Close())
	}
	schema = p.connect(1, prepareSchema)
	return schema, func() error { return errors.Join(schema.Close(), c.Close()) }, nil
}

// prepareSchema is prepare for the connection that changes the schema. A change waits for the
// transactions that use its table, and all later statements on the table wait behind it: other
// processes must not stand still for as long as one of them reads or writes.
func prepareSchema(ctx context.Context, c *pgx.Conn) error {
	if err := prepare(ctx, c); err != nil {
		return err
	}
	_, err := c.Exec(ctx, fmt.Sprintf(`SET lock_timeout = %d`, inTheWay.Milliseconds()), pgx.QueryExecModeSimpleProtocol)
	return err
}

// inTheWay is how long a change of the schema may make the statements of others wait before it
// has the lock of its table.
const inTheWay = time.Second

func (p *postgres) busy(err error) bool { return is(err, "55P03") }

// key returns the number of an advisory lock.
func (p *postgres) key(ctx context.Context, c *sql.Conn, what, of string) (int64, error) {
	schema, err := p.schema(ctx, c)
	return lockKey(schema, what, of), err
}

// schema returns the schema that has the tables.
func (p *postgres) schema(ctx context.Context, c *sql.Conn) (schema string, err error) {
	err = c.QueryRowContext(ctx, `SELECT current_schema()`).Scan(&schema)
	return schema, err
}

// lockKey returns the number of an advisory lock. Advisory locks belong to the database, so
// the schema is part of the key.
func lockKey(schema, what, of string) int64 {
	sum := sha256.Sum256([]byte(strings.Join([]string{"assay", schema, what, of}, "\x00")))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

// lock binds the lock to its own connection: it ends with release, or with the process.
func (p *postgres) lock(ctx context.Context, runID string) (holder, error) {
	h := &sessionHolder{postgres: p, run: runID}
	if err := h.take(ctx); err != nil {
		return nil, err
	}
	return h, nil
}

// sessionHolder holds a lock for as long as its connection lives. Writes under the lock
// use that connection, so that nothing can be written after the lock is lost.
type sessionHolder struct {
	*postgres
	run  string
	conn *sql.Conn
	// pid and began identify the server process of the connection that last held the
	// lock.
	pid   int64
	began string
}

func (h *sessionHolder) take(ctx context.Context) (err error) {
	c, err := h.sessions.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	key, err := h.key(ctx, c, "run", h.run)
	if err != nil {
		return err
	}
	var ok bool
	if err := c.QueryRowContext(ctx, `SELECT pg_try_advisory_lock($1)`, key).Scan(&ok); err != nil {
		return err
	}
	if !ok {
		if err := h.insist(ctx, c, key); err != nil {
			return err
		}
	}
	h.conn = c
	return c.QueryRowContext(ctx, `SELECT pid, backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()`).Scan(&h.pid, &h.began)
}

// isLock selects the rows of locks l that are held and have a key of 64 bits.
const isLock = `l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`

// lockKeys lists the upper and the lower half of the keys of the locks that are held.
const lockKeys = `SELECT l.classid::bigint, l.objid::bigint FROM pg_locks l WHERE ` + isLock

// lockHolders finds the holder of a lock.
const lockHolders = ` FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid WHERE ` + isLock + `
	AND l.classid::bigint = (($1::bigint >> 32) & 4294967295) AND l.objid::bigint = ($1::bigint & 4294967295)`

// dying is how long the server may take to notice a broken connection whose client is
// gone.
const dying = 500 * time.Millisecond

// insist takes over the lock of a dead connection: a connection of this holder, whose
// loss the server may not have noticed, is terminated; that of a killed process ends by
// itself. A lock of any other process is [ErrLocked].
func (h *sessionHolder) insist(ctx context.Context, c *sql.Conn, key int64) error {
	if _, err := c.ExecContext(ctx, `SELECT pg_terminate_backend(a.pid)`+lockHolders+` AND a.pid = $2 AND a.backend_start::text = $3`, key,
		h.pid, h.began); err != nil {
		return err
	}
	if _, err := c.ExecContext(ctx, fmt.Sprintf(`SET lock_timeout = %d`, dying.Milliseconds())); err != nil {
		return err
	}
	_, err := c.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, key)
	if is(err, "55P03") {
		var owner string
		// only for the message; the owner may have ended by now
		_ = c.QueryRowContext(ctx, `SELECT coalesce(a.application_name, '')`+lockHolders, key).Scan(&owner)
		return fmt.Errorf("%w by process %s", ErrLocked, strings.TrimPrefix(owner, "assay "))
	}
	if err == nil {
		_, err = c.ExecContext(ctx, `SET lock_timeout = 0`)
	}
	return err
}

func (h *sessionHolder) begin(ctx context.Context, _ *sql.DB) (*sql.Tx, error) {
	if h.conn != nil {
		tx, err := h.conn.BeginTx(ctx, nil)
		if err == nil || !h.away(err) {
			return tx, err
		}
		h.failed(err)
	}
	if err := h.take(ctx); err != nil {
		return nil, err
	}
	return h.conn.BeginTx(ctx, nil)
}

// failed drops the connection if it is unusable. After a mere cancellation it is still
// usable.
func (h *sessionHolder) failed(err error) {
	if h.conn != nil && (h.away(err) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		_ = h.conn.Close() // it may be broken
		h.conn = nil
	}
}

func (h *sessionHolder) release() error {
	if h.conn == nil {
		return nil
	}
	c := h.conn
	h.conn = nil
	// The lock ends with the connection; closing a broken connection reports an error,
	// which is harmless.
	if err := c.Close(); err != nil && !h.away(err) {
		return err
	}
	return nil
}

// check does nothing: the server verifies its pages when it reads them, if the cluster has
// checksums.
func (p *postgres) check(context.Context, *sql.DB, func(error)) error { return nil }

// is reports whether err is a server error with one of the codes; a code of two letters
// is a class.
func is(err error, codes ...string) bool {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return false
	}
	for _, code := range codes {
		if strings.HasPrefix(e.Code, code) {
			return true
		}
	}
	return false
}

func (p *postgres) explain(err error) error {
	switch {
	case is(err, "28"):
		return fmt.Errorf("the server rejects user %q; give its password in the URL, in PGPASSWORD or in ~/.pgpass: %w", p.cfg.User, plain(err))
	case is(err, "3D000"):
		return fmt.Errorf("there is no database %q: expected an existing one, or create it with createdb: %w", p.cfg.Database, plain(err))
	case is(err, "42501"):
		return fmt.Errorf("user %q lacks the permission; use the owner of the schema: %w", p.cfg.User, plain(err))
	case is(err, "53100"):
		return fmt.Errorf("the server's disk is full: %w", plain(err))
	case is(err, "25006"):
		return fmt.Errorf("the server is read-only; use the primary: %w", plain(err))
	case is(err, "XX001", "XX002"):
		return fmt.Errorf("%w: it is damaged: %w", ErrNotStore, plain(err))
	case is(err, "42P05", "26000"):
		// A statement that was prepared in another session.
		return fmt.Errorf("%w: %w", errTransactions, plain(err))
	case p.away(err):
		return fmt.Errorf("%w: %w", ErrAway, plain(err))
	}
	return err
}

// plain returns an error on one line.
func plain(err error) error {
	var e *pgconn.ConnectError
	if !errors.As(err, &e) {
		return err
	}
	return &connectError{e}
}

// connectError describes in one line why there is no connection.
type connectError struct{ *pgconn.ConnectError }

func (e *connectError) Unwrap() error { return e.ConnectError }

func (e *connectError) Error() string {
	var said *pgconn.PgError
	if errors.As(e.ConnectError, &said) {
		return said.Message
	}
	var op *net.OpError
	if errors.As(e.ConnectError, &op) {
		return op.Error()
	}
	return strings.Join(strings.Fields(e.ConnectError.Unwrap().Error()), " ")
}

func (p *postgres) unique(err error) bool { return is(err, "23505") }

func (p *postgres) away(err error) bool {
	var said *pgconn.PgError
	if errors.As(err, &said) {
		// broken connections; servers that stop, start, or are full
		return is(err, "08", "25P03", "57P01", "57P02", "57P03", "53300")
	}
	var connect *pgconn.ConnectError
	var network net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return false
	case errors.As(err, &connect), errors.As(err, &network):
		return true
	}
	for _, lost := range []error{driver.ErrBadConn, sql.ErrConnDone, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, pgconn.ErrConnClosed} {
		if errors.Is(err, lost) {
			return true
		}
	}
	return false
}

// remotePostgres reports whether an address points to another machine.
func remotePostgres(ref string) bool {
	p, err := newPostgres(ref)
	if err != nil {
		return true
	}
	hosts := []string{p.cfg.Host}
	for _, f := range p.cfg.Fallbacks {
		hosts = append(hosts, f.Host)
	}
	for _, h := range hosts {
		ip := net.ParseIP(h)
		if !strings.HasPrefix(h, "/") && h != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return true
		}
	}
	return false
}
