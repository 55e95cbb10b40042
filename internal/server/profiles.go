package server

import (
	"context"
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/rag/profile"
)

// A profileView is a profile in a list.
type profileView struct {
	Name    string   `json:"name" doc:"name of the profile" example:"A"`
	Hash    string   `json:"hash" doc:"hash of the templates: profiles with equal hashes send equal prompts" example:"sha256:9f86"`
	Default bool     `json:"default" doc:"whether all templates are the built-in ones of this name"`
	Changed []string `json:"changed" nullable:"false" doc:"templates of a built-in profile that were changed" example:"generate"`
}

// A profileWhole is a profile with its templates.
type profileWhole struct {
	Name      string           `json:"name" doc:"name of the profile" example:"A"`
	Templates profileTemplates `json:"templates" doc:"the eight templates by the names of their steps"`
	Hash      string           `json:"hash" doc:"hash of the templates: profiles with equal hashes send equal prompts" example:"sha256:9f86"`
	Default   bool             `json:"default" doc:"whether all templates are the built-in ones of this name"`
}

// A profileRequest is a profile as a client sends it. The reply to a GET is
// accepted, with changed templates. Null is the same as absent.
type profileRequest struct {
	Templates newTemplates `json:"templates" doc:"all eight, by the names of their steps"`
	Name      string       `json:"name,omitempty" nullable:"true" doc:"must equal the name in the path if given" example:"A"`
	Hash      string       `json:"hash,omitempty" nullable:"true" doc:"ignored: follows from the templates" example:"sha256:9f86"`
	Default   bool         `json:"default,omitempty" nullable:"true" doc:"ignored: follows from the templates"`
}

// profileTemplates are the eight templates by the names of their steps.
type profileTemplates map[string]string

// Schema lists the steps, with the purpose and the allowed placeholders of
// each.
func (profileTemplates) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{}, AdditionalProperties: false}
	first, _ := profile.Default("A")
	for _, step := range profile.Steps() {
		example := []any{first.Templates[step.Name]}
		s.Properties[step.Name] = &huma.Schema{Type: huma.TypeString, Description: stepDoc(step), Examples: example}
		s.Required = append(s.Required, step.Name)
	}
	return s
}

// newTemplates are templates as a client sends them. Their schema is loose,
// because the library would only report that one is missing or unexpected, and
// [profile.Profile.Mistakes] also says what is right.
type newTemplates map[string]string

// Schema returns the schema of the templates, without the requirements on a
// profile.
func (newTemplates) Schema(r huma.Registry) *huma.Schema {
	s := profileTemplates{}.Schema(r)
	s.AdditionalProperties, s.Required = &huma.Schema{Type: huma.TypeString, Description: "no template: an error tells"}, nil
	return s
}

// stepDoc describes a step with its placeholders.
func stepDoc(step profile.Step) string {
	var names []string
	for _, h := range step.Placeholders {
		name := "{{" + h.Name + "}}"
		if h.Required {
			name += " (must be there)"
		}
		names = append(names, name)
	}
	return step.Doc + "; it may have " + strings.Join(names, ", ")
}

type ProfilePath struct {
	Name string `path:"name" maxLength:"64" doc:"name of a profile: letters, digits, \".\", \"_\" and \"-\""`
}

// profiles returns the profiles of the server's store.
func (s *Server) profiles() wire.Profiles {
	return wire.Profiles{Store: s.store, Now: s.cfg.World.Now}
}

func (s *Server) profileRoutes() {
	registerList(s, "list-profiles", func(ctx context.Context, _ *Paging) (views []profileView, err error) {
		all, err := s.profiles().List(ctx)
		for _, p := range all {
			views = append(views, viewOf(p))
		}
		return views, err
	})
	registerOne(s, "get-profile", func(ctx context.Context, in *ProfilePath) (profileWhole, error) { return s.profile(ctx, in.Name) })
	registerOne(s, "put-profile", func(ctx context.Context, in *struct {
		ProfilePath
		Body profileRequest
	}) (v profileWhole, err error) {
		if in.Body.Name != "" && in.Body.Name != in.Name {
			return v, wrong("body.name", fmt.Sprintf("differs from the path: expected %q, or none", in.Name), in.Body.Name)
		}
		p := profile.Profile{Name: in.Name, Templates: map[string]string{}}
		for step, template := range in.Body.Templates {
			p.Templates[step] = strings.ReplaceAll(template, "\r\n", "\n")
		}
		if err := profileProblem(p); err != nil {
			return v, err
		}
		if err := s.profiles().Save(ctx, p); err != nil {
			return v, err
		}
		return s.profile(ctx, in.Name)
	})
	registerOne(s, "reset-profile", func(ctx context.Context, in *ProfilePath) (v profileWhole, err error) {
		if _, ok := profile.Default(in.Name); !ok {
			return v, absent("built-in profile", in.Name)
		}
		if err := s.profiles().Reset(ctx, in.Name); err != nil {
			return v, err
		}
		return s.profile(ctx, in.Name)
	})
	register(s, "delete-profile", func(ctx context.Context, in *ProfilePath) (*deletion, error) {
		if _, ok := profile.Default(in.Name); ok {
			return nil, conflict(
				fmt.Sprintf("profile %q is built in and cannot be deleted; use POST %s/profiles/%s/reset", in.Name, prefix, in.Name),
			)
		}
		if profile.CheckName(in.Name) != nil {
			return nil, absent("profile", in.Name)
		}
		return deleted(in.Name), s.orAbsent(ctx, s.profiles().Reset(ctx, in.Name), "profile", in.Name)
	})
}

// profile returns the profile with the name. The error is a problem.
func (s *Server) profile(ctx context.Context, name string) (v profileWhole, err error) {
	p, err := s.profiles().Profile(ctx, name)
	if err != nil {
		return v, s.orAbsent(ctx, err, "profile", name)
	}
	return profileWhole{p.Name, p.Templates, p.Hash(), p.IsDefault()}, nil
}

func viewOf(p profile.Profile) profileView {
	v := profileView{Name: p.Name, Hash: p.Hash(), Default: p.IsDefault(), Changed: []string{}}
	if d, ok := profile.Default(p.Name); ok {
		for _, step := range profile.Steps() {
			if d.Templates[step.Name] != p.Templates[step.Name] {
				v.Changed = append(v.Changed, step.Name)
			}
		}
	}
	return v
}

// profileProblem returns a 400 with every mistake of a profile; nil if there is
// none. It does not repeat a wrong template, which is long.
func profileProblem(p profile.Profile) error {
	var details []*huma.ErrorDetail
	if err := profile.CheckName(p.Name); err != nil {
		details = append(details, &huma.ErrorDetail{Location: "path.name", Message: err.Error(), Value: p.Name})
	}
	for _, m := range p.Mistakes() {
		details = append(details, &huma.ErrorDetail{Location: "body.templates." + m.Step, Message: m.Err.Error()})
	}
	if details == nil {
		return nil
	}
	return wrongs(details...)
}
