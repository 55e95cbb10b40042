package build

import (
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOf(t *testing.T) {
	vcs := func(revision, modified string) []debug.BuildSetting {
		return []debug.BuildSetting{
			{Key: "vcs.revision", Value: revision}, {Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}, {Key: "vcs.modified", Value: modified},
		}
	}
	const revision = "0123456789abcdef0123456789abcdef01234567"
	for name, c := range map[string]struct {
		info   debug.BuildInfo
		linked Info
		want   Info
	}{
		"by scripts/build.sh": {
			linked: Info{Version: "v1.4.0", Commit: revision, Date: "2026-01-02T03:04:05Z"},
			want:   Info{Version: "v1.4.0", Commit: revision, Date: "2026-01-02T03:04:05Z"},
		},
		"by scripts/build.sh in a checkout with changes": {
			linked: Info{Version: "devel-0123456789ab-dirty", Commit: revision},
			want:   Info{Version: "devel-0123456789ab-dirty", Commit: revision, Modified: true},
		},
		"go install module@version": {
			info: debug.BuildInfo{Main: debug.Module{Version: "v1.4.0"}},
			want: Info{Version: "v1.4.0"},
		},
		"go build in a checkout with changes": {
			info: debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: vcs(revision, "true")},
			want: Info{Version: "devel-0123456789ab-dirty", Commit: revision, Date: "2026-01-02T03:04:05Z", Modified: true},
		},
		"a short revision": {
			info: debug.BuildInfo{Settings: vcs("0123", "false")},
			want: Info{Version: "devel-0123", Commit: "0123", Date: "2026-01-02T03:04:05Z"},
		},
		"nothing is known": {want: Info{Version: "devel"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, of(&c.info, c.linked)); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}

// TestThisProgram holds what a bug report needs in any case.
func TestThisProgram(t *testing.T) {
	if v := Of(); v.Version == "" || v.Go == "" || v.OS == "" || v.Arch == "" {
		t.Errorf("%+v: want a version, and the version of Go, the system and the architecture", v)
	}
}
