// Package message says what people read, in their language. Each language is one file: a
// map from the name of a message to its template, as text/template reads it. A map within
// the map groups messages: "Stage" with "filter" in it holds the message "Stage.filter".
package message

import (
	"embed"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"text/template"

	"github.com/goccy/go-yaml"
)

//go:embed *.yaml
var files embed.FS

// English and TraditionalChinese are the languages there are.
var (
	English            = open("en", "English")
	TraditionalChinese = open("zh-Hant", "繁體中文")
)

// A Language says messages.
type Language struct {
	// Code is the BCP 47 code, Name the language's name in the language itself.
	Code, Name string
	texts      func() map[string]string
	// parsed has the templates of the messages that were said.
	parsed sync.Map
}

// V holds the values of a message by the names that its template gives them.
type V map[string]any

// A Message is what is to be said, whatever the language. nil says nothing.
type Message struct {
	Name string
	// Values may hold messages, which are said in the same language.
	Values V
}

// New returns a message with values: their names and they themselves in turn.
func New(name string, values ...any) *Message {
	m := &Message{name, V{}}
	for i := 0; i < len(values); i += 2 {
		m.Values[values[i].(string)] = values[i+1]
	}
	return m
}

// Text returns a message that is the same in every language.
func Text(s string) *Message { return New("Text", "text", s) }

// Sayer is a [*Language], or a type that has one.
type Sayer interface {
	Say(name string, data any) string
}

// In says the message in a language; "" for nil.
func (m *Message) In(l Sayer) string {
	if m == nil {
		return ""
	}
	values := make(V, len(m.Values))
	for name, value := range m.Values {
		if inner, ok := value.(*Message); ok {
			value = inner.In(l)
		}
		values[name] = value
	}
	return l.Say(m.Name, values)
}

// MarshalText returns the message in English.
func (m *Message) MarshalText() ([]byte, error) { return []byte(m.In(English)), nil }

// UnmarshalText reads a message that is the same in every language.
func (m *Message) UnmarshalText(b []byte) error {
	*m = *Text(string(b))
	return nil
}

func open(code, name string) *Language {
	return &Language{Code: code, Name: name, texts: sync.OnceValue(func() map[string]string {
		data, err := files.ReadFile(code + ".yaml")
		if err != nil {
			panic(err)
		}
		var messages map[string]any
		if err := yaml.Unmarshal(data, &messages); err != nil {
			panic(err)
		}
		texts := map[string]string{}
		add(texts, "", messages)
		return texts
	})}
}

// add adds messages by their full names.
func add(texts map[string]string, group string, messages map[string]any) {
	for name, m := range messages {
		switch m := m.(type) {
		case map[string]any:
			add(texts, group+name+".", m)
		case []any:
			for i, one := range m {
				texts[fmt.Sprintf("%s%s.%d", group, name, i)] = fmt.Sprint(one)
			}
		default:
			texts[group+name] = fmt.Sprint(m)
		}
	}
}

// Has reports whether the language has a message.
func (l *Language) Has(name string) bool {
	_, ok := l.texts()[name]
	return ok
}

// Say says a message; data is what its template sees.
func (l *Language) Say(name string, data any) string {
	s, err := l.say(name, data)
	if err != nil {
		return err.Error() // A test says every message.
	}
	return s
}

func (l *Language) say(name string, data any) (string, error) {
	text, ok := l.texts()[name]
	switch {
	case !ok:
		return "", fmt.Errorf("%s: %s: no such message", l.Code, name)
	case !strings.Contains(text, "{{"):
		return text, nil
	}
	t, err := l.template(name)
	if err != nil {
		return "", err
	}
	var s strings.Builder
	if err := t.Execute(&s, data); err != nil {
		return "", fmt.Errorf("%s: %w", l.Code, err)
	}
	return s.String(), nil
}

// template parses the template of a message, once.
func (l *Language) template(name string) (*template.Template, error) {
	if t, ok := l.parsed.Load(name); ok {
		return t.(*template.Template), nil
	}
	t, err := template.New(name).Option("missingkey=error").Funcs(functions).Funcs(template.FuncMap{
		"some": l.some, "has": l.Has, "say": l.say,
	}).Parse(l.texts()[name])
	if err == nil {
		l.parsed.Store(name, t)
	}
	return t, err
}

// Fill says a group of messages, "" for all: into points to a struct whose fields have their names.
func (l *Language) Fill(group string, data, into any) {
	v := reflect.ValueOf(into).Elem()
	for i := range v.NumField() {
		name := strings.TrimPrefix(group+"."+v.Type().Field(i).Name, ".")
		switch f := v.Field(i); f.Kind() {
		case reflect.Struct:
			l.Fill(name, data, f.Addr().Interface())
		case reflect.Array:
			for k := range f.Len() {
				f.Index(k).SetString(l.Say(fmt.Sprintf("%s.%d", name, k), data))
			}
		default:
			f.SetString(l.Say(name, data))
		}
	}
}
