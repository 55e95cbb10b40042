package server

import (
	"reflect"
	"strings"
)

// fillLists gives an empty list, or an empty map, for each that is nil in what v points to,
// so that a reply has [] and {} where its schema has no null: older builds stored null.
// What is left out of the JSON when it is empty stays nil.
func fillLists(v any) { fillValue(reflect.ValueOf(v)) }

func fillValue(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fillValue(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f, field := v.Field(i), v.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			if f.CanSet() && !strings.Contains(field.Tag.Get("json"), ",omitempty") {
				fillNil(f)
			}
			fillValue(f)
		}
	case reflect.Slice:
		if k := v.Type().Elem().Kind(); k != reflect.Struct && k != reflect.Pointer && k != reflect.Slice {
			return
		}
		for i := range v.Len() {
			fillValue(v.Index(i))
		}
	}
}

// fillNil sets a list or map that is nil. Bytes are text in JSON.
func fillNil(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Slice && v.IsNil() && v.Type().Elem().Kind() != reflect.Uint8:
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	case v.Kind() == reflect.Map && v.IsNil():
		v.Set(reflect.MakeMap(v.Type()))
	}
}
