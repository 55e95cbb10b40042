package config_test

import (
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/assay-eval/assay/internal/config"
)

func environ(vars map[string]string) *config.Variables {
	return config.Environ(func(k string) string { return vars[k] })
}

func environment(r *config.Resolved, vars map[string]string) error {
	r.Variables = environ(vars)
	return r.Environment()
}

func difference(want, got config.Config) string { return cmp.Diff(want, got, cmpopts.EquateEmpty()) }
