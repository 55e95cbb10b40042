package server

import (
	"context"
	"net/http"
)

// A targetView is a target in a list.
type targetView struct {
	Name     string            `json:"name" doc:"name of the target" example:"default"`
	Adapter  string            `json:"adapter" doc:"kind of the target; empty if it cannot be used" example:"http"`
	Endpoint string            `json:"endpoint,omitempty" doc:"without secrets" example:"http://localhost:8080/ask"`
	Settings map[string]string `json:"settings" doc:"what differs from the server's own, without secrets" example:"{\"timeout\": \"30s\"}"`
	// Problem is why the target cannot be used.
	Problem string `json:"problem,omitempty" doc:"why the target cannot be used; absent if it can" example:"invalid settings"`
}

func (s *Server) targets() {
	registerList(s, operation("catalogue", http.MethodGet, "/targets", "list-targets", "List the targets of runs",
		says("The server's own settings and the configurations named in its file.")),
		func(context.Context, *Paging) (views []targetView, _ error) {
			for _, name := range s.targetNames() {
				views = append(views, s.target(name))
			}
			return views, nil
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
		v.Problem = "invalid settings: see the server's log and assay config"
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
