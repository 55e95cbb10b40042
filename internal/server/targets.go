package server

import (
	"context"

	"github.com/assay-eval/assay/internal/web"
)

func (s *Server) targets() {
	registerList(s, "list-targets", func(context.Context, *Paging) (views []web.TargetView, _ error) {
		for _, name := range s.targetNames() {
			views = append(views, s.target(name))
		}
		return views, nil
	})
}

func (s *Server) target(name string) web.TargetView {
	v := web.TargetView{Name: name, Settings: map[string]string{}}
	own := s.cfg.Settings.Map()
	r, err := s.cfg.Settings.Clone()
	if err == nil && name != defaultTarget {
		err = r.Apply(name)
	}
	if err == nil {
		err = r.Imply()
	}
	if err != nil {
		v.Problem = "invalid settings: see the server's log and assay doctor config"
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
