package cli

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/store"
)

// A session lets a command call models without a run. Calls go through the ledger of
// the store, under the ID of the session.
type session struct {
	models *wire.Models
	store  *store.Store
	id     string
}

// newSession opens models by calling open (wire.Models.Open or Judge). If open returns
// an error, nothing is left behind.
func newSession(ctx context.Context, env *Env, r *config.Resolved, open func(*wire.Models) error) (*session, error) {
	models, err := openModels(env, r, open)
	if err != nil {
		return nil, err
	}
	warnings, err := models.Check()
	if err != nil {
		return nil, err
	}
	for _, w := range warnings {
		env.Warn("%s", w)
	}
	id, err := store.NewID(env.Now(), rand.Reader)
	if err != nil {
		return nil, err
	}
	s, err := openRunStore(ctx, env, r)
	if err != nil {
		return nil, err
	}
	err = models.Connect(s, id, 0)
	if err == nil {
		err = models.Reach(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &session{models: models, store: s, id: id}, nil
}

// openModels opens models by calling open.
func openModels(env *Env, r *config.Resolved, open func(*wire.Models) error) (*wire.Models, error) {
	models, err := wire.OpenModels(r.Config, newWorld(env, r, nil, nil))
	if err == nil {
		err = open(models)
	}
	return models, err
}
