package fetch

import (
	"archive/zip"
	"cmp"
	"context"
	"crypto/md5" //nolint:gosec // the checksum that BEIR publishes; against damage, not against attacks
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/atomic"
)

// Options say where a dataset is fetched from.
type Options struct {
	// From is the address of an archive (it ends in .zip) or of the folder that has NAME.zip,
	// or a local archive or folder; "" is where the set is published.
	From string
	// SHA256 is what the archive must have, in hexadecimal digits; "" demands nothing.
	SHA256 string
	// Client makes the requests; nil is [http.DefaultClient].
	Client *http.Client
	// Progress is told how much of the archive is there, in bytes; total is 0 if it is not
	// known. It may be nil.
	Progress func(done, total int64)
}

// A Result is a dataset that was fetched.
type Result struct {
	// Size is that of the archive, Resumed how much of it an earlier try had left, in bytes.
	Size, Resumed int64
	SHA256        string
	// Checked says what the archive was compared with: "published MD5", "SHA-256", or "" if
	// there was nothing.
	Checked string
}

// tries is how often a transfer that breaks off is taken up again.
const tries = 3

// Fetch writes the archive of a dataset to a file that does not exist yet. A transfer that
// breaks off leaves FILE.part, from which the next goes on if the server still has the same
// archive. Nothing is at path unless the archive is whole, has the checksum of the set of that
// name (unless From is another source without it) and is a dataset of BEIR.
func Fetch(ctx context.Context, name, to string, o Options) (Result, error) {
	set, err := Find(name)
	if err != nil && o.From == "" {
		return Result{}, err
	}
	if o.SHA256 != "" && !isSHA256(o.SHA256) {
		return Result{}, fmt.Errorf("--sha256 %q: want 64 hexadecimal digits", o.SHA256)
	}
	t := &transfer{to: to, part: to + ".part", client: cmp.Or(o.Client, http.DefaultClient), progress: o.Progress}
	if t.progress == nil {
		t.progress = func(int64, int64) {}
	}
	source := cmp.Or(o.From, published)
	if u, err := url.Parse(source); err == nil && IsAddress(source) {
		if !strings.HasSuffix(u.Path, ".zip") {
			u.Path = path.Join(u.Path, name+".zip")
		}
		t.url = u.String()
		err = t.download(ctx)
		if err != nil {
			return Result{}, fmt.Errorf("%s: %w", u.Redacted(), err)
		}
	} else if err := t.copy(source, name); err != nil {
		return Result{}, err
	}
	return t.finish(set.MD5, strings.ToLower(o.SHA256))
}

// IsAddress reports whether a source is an address, not a path.
func IsAddress(from string) bool {
	u, err := url.Parse(from)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https")
}

// Sum returns the SHA-256 of an archive that is there, and whether it has the checksums.
func Sum(name, file, sha string) (sum string, same bool, err error) {
	set, _ := Find(name)
	sums, _, err := sumsOf(file)
	return sums.sha, err == nil && sums.check(set.MD5, strings.ToLower(sha)) == nil && (set.MD5 != "" || sha != ""), err
}

func isSHA256(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == sha256.Size
}

// A transfer brings an archive to a partial file.
type transfer struct {
	to, part, url string
	client        *http.Client
	progress      func(done, total int64)
	resumed       int64
}

// A mark says what a partial file is a part of.
type mark struct {
	URL string `json:"url"`
	// ETag or Modified tell that the server still has the same.
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"last_modified,omitempty"`
}

func (t *transfer) markFile() string { return t.part + ".json" }

// begun returns how much of the archive is there, and by what the server knows that it is
// still the same; "" if the server cannot tell.
func (t *transfer) begun() (size int64, validator string) {
	var m mark
	b, err := os.ReadFile(t.markFile())
	if err != nil || json.Unmarshal(b, &m) != nil || m.URL != t.url {
		return 0, ""
	}
	info, err := os.Stat(t.part)
	if err != nil {
		return 0, ""
	}
	// A weak tag does not promise the same bytes.
	if m.ETag != "" && !strings.HasPrefix(m.ETag, "W/") {
		return info.Size(), m.ETag
	}
	return info.Size(), m.Modified
}

// download asks until the archive is whole, or a try brings nothing more.
func (t *transfer) download(ctx context.Context) error {
	first, _ := t.begun()
	t.resumed = first
	for try := 1; ; try++ {
		before, _ := t.begun()
		err := t.once(ctx)
		var s *statusError
		if err == nil || ctx.Err() != nil || errors.As(err, &s) && !s.temporary() {
			return err
		}
		after, validator := t.begun()
		if try == tries || after <= before && try > 1 {
			if after > 0 && validator != "" {
				return fmt.Errorf("%w (%d bytes are there: the same command goes on from them)", err, after)
			}
			return err
		}
	}
}

// once makes one request and appends what it brings.
func (t *transfer) once(ctx context.Context) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, t.url, http.NoBody)
	if err != nil {
		return err
	}
	// A server that packed the archive again would count other bytes.
	r.Header.Set("Accept-Encoding", "identity")
	size, validator := t.begun()
	if size > 0 && validator != "" {
		r.Header.Set("Range", "bytes="+strconv.FormatInt(size, 10)+"-")
		r.Header.Set("If-Range", validator)
	}
	res, err := t.client.Do(r)
	if err != nil {
		return &unreachable{err}
	}
	defer res.Body.Close()
	flags := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	switch {
	case res.StatusCode == http.StatusPartialContent && strings.HasPrefix(res.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", size)):
		flags = os.O_WRONLY | os.O_APPEND
	case res.StatusCode == http.StatusOK:
		size, t.resumed = 0, 0
	case res.StatusCode == http.StatusRequestedRangeNotSatisfiable && res.Header.Get("Content-Range") == fmt.Sprintf("bytes */%d", size):
		return nil // all of it is there
	default:
		if res.StatusCode == http.StatusRequestedRangeNotSatisfiable || res.StatusCode == http.StatusPartialContent {
			t.forget()
		}
		return &statusError{res.StatusCode, res.Status}
	}
	f, err := os.OpenFile(t.part, flags, 0o666)
	if err != nil {
		return err
	}
	m, err := json.Marshal(mark{t.url, res.Header.Get("ETag"), res.Header.Get("Last-Modified")})
	if err == nil {
		err = os.WriteFile(t.markFile(), m, 0o666)
	}
	if err == nil {
		total := int64(0)
		if res.ContentLength >= 0 {
			total = size + res.ContentLength
		}
		_, err = io.Copy(f, &counting{res.Body, size, total, t.progress})
	}
	return errors.Join(err, f.Close())
}

// forget removes what is there, so that the next try begins anew.
func (t *transfer) forget() {
	_ = os.Remove(t.part)
	_ = os.Remove(t.markFile())
}

// A counting reader tells how far it is.
type counting struct {
	io.Reader
	done, total int64
	progress    func(done, total int64)
}

func (c *counting) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.done += int64(n)
	c.progress(c.done, c.total)
	return n, err
}

// An unreachable server may be so for good: there is no network.
type unreachable struct{ err error }

func (u *unreachable) Error() string {
	var of *url.Error
	if errors.As(u.err, &of) {
		u.err = of.Err // the address is named already
	}
	return "cannot be reached: " + u.err.Error() + ": want a network, or the archive as a file, which --from names"
}

func (u *unreachable) Unwrap() error { return u.err }

type statusError struct {
	code   int
	status string
}

func (s *statusError) Error() string { return "the server answers " + s.status + ": want the archive" }

func (s *statusError) temporary() bool {
	return s.code >= http.StatusInternalServerError || s.code == http.StatusTooManyRequests ||
		s.code == http.StatusRequestedRangeNotSatisfiable || s.code == http.StatusPartialContent
}

// copy brings a local archive.
func (t *transfer) copy(from, name string) error {
	info, err := os.Stat(from)
	if err == nil && info.IsDir() {
		if _, err := os.Stat(filepath.Join(from, "corpus.jsonl")); err == nil {
			return fmt.Errorf("%s: is a dataset of BEIR already: want it named as the dataset, without fetching", from)
		}
		from = filepath.Join(from, name+".zip")
		_, err = os.Stat(from)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: does not exist: want an archive, or a folder with %s.zip", from, name)
	}
	if err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return atomic.WriteFile(t.part, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}

// sums are checksums in hexadecimal digits.
type sums struct{ md5, sha string }

func sumsOf(file string) (s sums, size int64, err error) {
	f, err := os.Open(file)
	if err != nil {
		return s, 0, err
	}
	defer f.Close()
	one, other := md5.New(), sha256.New() //nolint:gosec // see above
	size, err = io.Copy(io.MultiWriter(one, other), f)
	return sums{hex.EncodeToString(one.Sum(nil)), hex.EncodeToString(other.Sum(nil))}, size, err
}

// check compares with what is wanted, of which either may be empty.
func (s sums) check(wantMD5, wantSHA string) error {
	switch {
	case wantSHA != "" && s.sha != wantSHA:
		return fmt.Errorf("the archive has the SHA-256 %s: want %s: it is another version, or was damaged", s.sha, wantSHA)
	case wantSHA == "" && wantMD5 != "" && s.md5 != wantMD5:
		return fmt.Errorf("the archive has the MD5 %s: want the published %s: it is another version (then --sha256 %s accepts it), "+
			"or was damaged",
			s.md5, wantMD5, s.sha)
	}
	return nil
}

// finish checks the archive and puts it in its place. A wrong one is removed.
func (t *transfer) finish(wantMD5, wantSHA string) (Result, error) {
	s, size, err := sumsOf(t.part)
	if err != nil {
		return Result{}, err
	}
	r := Result{Size: size, Resumed: t.resumed, SHA256: s.sha}
	switch {
	case wantSHA != "":
		r.Checked = "SHA-256"
	case wantMD5 != "":
		r.Checked = "published MD5"
	}
	if err = isDataset(t.part); err == nil {
		err = s.check(wantMD5, wantSHA)
	}
	if err != nil {
		t.forget()
		return Result{}, err
	}
	_ = os.Remove(t.markFile())
	return r, os.Rename(t.part, t.to)
}

// isDataset looks for the files of a dataset of BEIR in an archive.
func isDataset(file string) error {
	z, err := zip.OpenReader(file)
	if err != nil {
		return fmt.Errorf("is no zip archive (%w): want one of a dataset of BEIR", err)
	}
	defer func() { _ = z.Close() }() // it was only read
	for _, name := range []string{"corpus.jsonl", "queries.jsonl"} {
		found := false
		for _, f := range z.File {
			found = found || path.Base(f.Name) == name
		}
		if !found {
			return fmt.Errorf("the archive has no %s: want a dataset of BEIR", name)
		}
	}
	return nil
}
