package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// A targetView is a system that a run may ask.
type targetView struct {
	Name     string            `json:"name"`
	Adapter  string            `json:"adapter"`
	Endpoint string            `json:"endpoint,omitempty" doc:"without what is secret in it"`
	Settings map[string]string `json:"settings" doc:"those in which it differs from the server's own, without what is secret"`
	// Problem says why the target cannot be used.
	Problem string `json:"problem,omitempty"`
}

func (s *Server) targets(api huma.API) {
	huma.Register(api, operation("catalogue", http.MethodGet, "/targets", "list-targets", "The systems that a run may ask",
		says("The server's own settings, and the configurations that its file names.")),
		func(_ context.Context, in *Paging) (*list[targetView], error) {
			var views []targetView
			for _, name := range s.targetNames() {
				views = append(views, s.target(name))
			}
			return cut(views, *in), nil
		})
}

func (s *Server) target(name string) targetView {
	v := targetView{Name: name, Settings: map[string]string{}}
	own := s.cfg.Settings.Map()
	r, err := s.cfg.Settings.Clone()
	if err == nil && name != defaultTarget {
		err = r.Apply(name)
	}
	if err == nil {
		err = r.Imply()
	}
	if err != nil {
		v.Problem = "its settings cannot be used: the server's log and assay config say why"
		s.log.Warn("target cannot be used", "target", name, "error", err)
		return v
	}
	v.Adapter, v.Endpoint = r.Adapter, r.Get("endpoint")
	for key, is := range r.Map() {
		if own[key] != is {
			v.Settings[key] = is
		}
	}
	return v
}
