package assay

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// drawn fills every field of a value that can be set, or leaves it as it is.
func drawn(t *rapid.T, v reflect.Value) { drawnTo(t, v, 8) }

// drawnTo leaves what is nested deeper than that as it is: checks hold checks.
func drawnTo(t *rapid.T, v reflect.Value, depth int) {
	if depth == 0 || !v.CanSet() || v.Kind() != reflect.Struct && rapid.IntRange(0, 2).Draw(t, "leave") == 0 {
		return
	}
	word := rapid.SampledFrom([]string{"", "a", "river", "河", "\xff\x00", strings.Repeat("long ", 40)})
	switch v.Kind() {
	case reflect.String:
		v.SetString(word.Draw(t, "text"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "truth"))
	case reflect.Int:
		v.SetInt(rapid.Int64().Draw(t, "number"))
	case reflect.Float64:
		v.SetFloat(rapid.Float64().Draw(t, "number"))
	case reflect.Struct:
		for i := range v.NumField() {
			drawnTo(t, v.Field(i), depth-1)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		drawnTo(t, v.Elem(), depth-1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(0, 3).Draw(t, "length"), 3))
		for i := range v.Len() {
			drawnTo(t, v.Index(i), depth-1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			item := reflect.New(v.Type().Elem()).Elem()
			drawnTo(t, item, depth-1)
			v.SetMapIndex(reflect.ValueOf(word.Draw(t, "key")), item)
		}
	case reflect.Interface:
		v.Set(reflect.ValueOf(word.Draw(t, "any")))
	default:
		t.Fatalf("no values of %s", v.Type())
	}
}

// Packed cases are the cases, in every field that a case has or will have.
func TestCasesArePacked(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := make([]Case, rapid.IntRange(0, 4).Draw(t, "cases"))
		for i := range want {
			drawn(t, reflect.ValueOf(&want[i]).Elem())
		}
		list := CasesOf(want...)
		if list.Len() != len(want) {
			t.Fatalf("%d cases, want %d", list.Len(), len(want))
		}
		if got := list.List(); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, want %+v", got, want)
		}
	})
}

// manyCases are more than are held without compression.
const manyCases = 60_000

// many returns so many cases that some are compressed, in more chunks than are held.
func many() (list *Cases, all []Case) {
	list = &Cases{}
	more := strings.Repeat(" plus one", 25)
	for i := range manyCases {
		c := Case{ID: fmt.Sprint("q", i), Question: fmt.Sprintf("What is %d times %d%s?", i, i+1, more), Critical: i%100 == 7,
			Want: Want{Documents: map[string]int{fmt.Sprint("d", i): i % 3}}, Origin: Origin{"cases.jsonl", i + 1}}
		list.Add(&c)
		all = append(all, c)
	}
	return list, all
}

// Cases of many chunks are read from any place, by several at once.
func TestCasesOfManyChunks(t *testing.T) {
	t.Parallel()
	list, all := many()
	compressed := 0
	for _, c := range list.full {
		if c.plain == nil {
			compressed++
		}
	}
	if compressed <= len(list.cache.held) || compressed == len(list.full) {
		t.Fatalf("%d of %d chunks are compressed, want more than are held, and others", compressed, len(list.full))
	}
	var readers sync.WaitGroup
	for _, step := range []int{1, 7919, 12_345} {
		readers.Go(func() {
			for i, at := 0, 0; i < len(all)/step; i, at = i+1, (at+9*step)%len(all) {
				if got := list.At(at); !reflect.DeepEqual(got, all[at]) {
					t.Errorf("case %d is %+v, want %+v", at, got, all[at])
					return
				}
			}
		})
	}
	readers.Wait()
	even := list.Where(func(i int) bool { return i%2 == 0 })
	if got := even.At(5000); even.Len() != manyCases/2 || got.ID != "q10000" {
		t.Errorf("%d cases, the 5000th %s: want every second", even.Len(), got.ID)
	}
	named := list.Change(func(i int, c *Case) { c.Group = fmt.Sprint("g", i/2) })
	if got := named.At(9001); got.Group != "g4500" || got.ID != "q9001" || list.At(9001).Group != "" {
		t.Errorf("%+v: want group g4500, in the new list alone", got)
	}
	if n := list.Count(func(c *Case) bool { return c.Critical }); n != manyCases/100 {
		t.Errorf("%d critical cases, want %d", n, manyCases/100)
	}
	if !list.Any(func(c *Case) bool { return c.ID == "q59999" }) || list.Any(func(c *Case) bool { return c.ID == "q60000" }) {
		t.Error("want the last case, and none behind it")
	}
}

// A list that is nil is empty.
func TestNoCases(t *testing.T) {
	t.Parallel()
	var none *Cases
	if none.Len() != 0 || len(none.List()) != 0 || none.Any(func(*Case) bool { return true }) || none.Where(nil).Len() != 0 {
		t.Error("want no cases")
	}
	defer func() {
		if recover() == nil {
			t.Error("want a panic for a case that is not there")
		}
	}()
	CasesOf(Case{ID: "a"}).At(1)
}

// Cases behind the first megabytes are compressed, and what is read holds none of the list.
func TestCasesTakeLittleMemory(t *testing.T) {
	before := inUse()
	list, _ := many()
	one := list.At(17)
	if used := inUse() - before; used > plainSize+60*manyCases {
		t.Errorf("%d bytes, want the %d that are not compressed, and 60 for each case", used, plainSize)
	}
	runtime.KeepAlive(list)
	runtime.KeepAlive(one)
}

func inUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
