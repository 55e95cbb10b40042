package server

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// An optionalNumber is a numeric parameter that may be absent; 0 is a value.
type optionalNumber struct {
	Value float64
	Set   bool
}

// Schema returns the schema of a number.
func (optionalNumber) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Format: "double"}
}

// Receiver returns the field that receives the number.
func (o *optionalNumber) Receiver() reflect.Value { return reflect.ValueOf(o).Elem().Field(0) }

// OnParamSet records whether the parameter was present.
func (o *optionalNumber) OnParamSet(set bool, _ any) { o.Set = set }

// value returns nil if the parameter is absent.
func (o *optionalNumber) value() *float64 {
	if !o.Set {
		return nil
	}
	return &o.Value
}
