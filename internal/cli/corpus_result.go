package cli

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/target/upload"
)

// row writes a count unless it is 0. The number of documents is always written.
func (u *uploading) row(what string, n int, note string) {
	if n == 0 && what != "documents" {
		return
	}
	if note != "" {
		note = "  " + note
	}
	fmt.Fprintf(u.env.Stdout, "  %-10s %6d%s\n", what, n, note)
}

// maxListed is the maximum number of documents listed by name.
const maxListed = 100

func (u *uploading) printResult(res upload.Result) {
	if !u.flags.quiet {
		fmt.Fprintf(u.env.Stdout, "%s\n", text.Visible(res.Destination.String()))
		u.row("documents", res.Documents, "")
		known := "were there by the journal, and unchanged"
		if res.Unlisted {
			known = "were there by the journal; the system cannot say what it has"
		}
		u.row("known", res.Known, known)
		u.row("found", res.Found, "were there, with the same content")
		u.row("added", res.Added, "")
		u.row("replaced", res.Replaced, "")
		u.row("different", len(res.Different), "there with another content, left alone")
		u.row("refused", len(res.Refused), "")
		fmt.Fprintf(u.env.Stdout, "  %-10s %s\n", "journal", text.Visible(u.flags.journalName()))
		u.list("warning: %s", res.Warnings)
	}
	u.notes("left alone", res.Different)
	u.notes("refused", res.Refused)
	if res.Unlisted && res.Known > 0 && !u.flags.quiet {
		u.env.Hint("if the system was emptied, delete the journal to send the documents again")
	}
	if len(res.Different) > 0 && !u.flags.quiet {
		u.env.Hint("--force replaces documents whose content differs")
	}
}

func (u *uploading) notes(what string, notes []upload.Note) {
	var lines []string
	for _, n := range notes {
		lines = append(lines, fmt.Sprintf("%q: %s", n.Document, n.Reason))
	}
	u.list(what+": %s", lines)
}

func (u *uploading) list(format string, lines []string) {
	for i, l := range lines {
		if i == maxListed {
			u.env.Warn("… and %d more", len(lines)-i)
			return
		}
		u.env.Warn(format, l)
	}
}

// ended returns the error with which the command ends, with a hint on how to continue.
func (u *uploading) ended(res upload.Result, err error) error {
	there := "the same command goes on where this one was"
	if res.Done() > 0 {
		there = fmt.Sprintf("%d of %d documents are there; the same command continues from there", res.Done(), res.Documents)
	}
	if errors.Is(err, upload.ErrStopped) || wire.Interrupted(err) {
		return &ExitError{Code: ExitInterrupted, Err: errors.New("interrupted"), Hints: []string{there}}
	}
	err = u.hinted(err)
	if res.Done() == 0 {
		return err
	}
	var exit *ExitError
	if errors.As(err, &exit) {
		exit.Hints = append(exit.Hints, there)
		return exit
	}
	return hinted(err, there)
}

// hinted adds a hint about the remedy to an error, if one is known.
func (u *uploading) hinted(err error) error {
	var fatal *upload.FatalError
	if !errors.As(err, &fatal) {
		return err
	}
	switch nextcloud := u.flags.to == upload.KindNextcloud; {
	case nextcloud && fatal.Status() == http.StatusUnauthorized:
		return hinted(err, fmt.Sprintf("use an app password of %[2]q in %[1]s: Nextcloud, Settings, Security", u.flags.passwordEnv,
			u.flags.user))
	case fatal.Status() == http.StatusUnauthorized, fatal.Status() == http.StatusForbidden:
		return hinted(err, `--header "Authorization: Bearer TOKEN" passes the API key of the system`)
	case nextcloud && fatal.Status() == http.StatusNotFound:
		return hinted(err, "use the URL of a Nextcloud with the Notes app")
	case fatal.Status() == http.StatusNotFound, fatal.Status() == http.StatusMethodNotAllowed:
		return hinted(err, "use the URL and the --method with which the system accepts documents")
	}
	return err
}

// stoppedUpload is the error of an upload that ends before the first document is sent, or after the last.
func stoppedUpload(err error) error { return stoppedWith(err, "the same command continues from there") }
