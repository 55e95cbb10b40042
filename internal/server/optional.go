package server

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// An optionalNumber is a parameter that 0 does not stand for the absence of.
type optionalNumber struct {
	Value float64
	Set   bool
}

// Schema says that it is a number.
func (optionalNumber) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber}
}

// Receiver is where the number goes.
func (o *optionalNumber) Receiver() reflect.Value { return reflect.ValueOf(o).Elem().Field(0) }

// OnParamSet notes whether it was given.
func (o *optionalNumber) OnParamSet(set bool, _ any) { o.Set = set }

// value is nil when it was not given.
func (o *optionalNumber) value() *float64 {
	if !o.Set {
		return nil
	}
	return &o.Value
}
