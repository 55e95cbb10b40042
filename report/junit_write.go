package report

import "encoding/xml"

func (j *junit) suite(s junitSuite) {
	attributes := append([]string{"name", s.name}, testCounts([]junitSuite{s}, "failure", "error", "skipped")...)
	if t := j.r.Header.Started; !t.IsZero() {
		attributes = append(attributes, "timestamp", t.UTC().Format("2006-01-02T15:04:05"))
	}
	j.open("testsuite", attributes...)
	if s.properties != nil {
		j.open("properties")
		for _, p := range s.properties {
			if value := line(p.value); value != "" {
				j.open("property", "name", line(p.name), "value", value)
				j.close("property")
			}
		}
		j.close("properties")
	}
	for _, t := range s.tests {
		attributes := []string{"name", t.name, "classname", t.class, "time", seconds(t.took)}
		j.open("testcase", attributes...)
		if t.kind != "" {
			attributes := []string{"message", clip(line(t.reason), 2*junitMessage)}
			if t.typ != "" && t.kind != "skipped" {
				attributes = append(attributes, "type", t.typ)
			}
			j.open(t.kind, attributes...)
			j.text(t.detail)
			j.close(t.kind)
		}
		if t.told != "" {
			j.open("system-out")
			j.text(t.told)
			j.close("system-out")
		}
		j.close("testcase")
	}
	j.close("testsuite")
}

func (j *junit) open(name string, attributes ...string) {
	start := xml.StartElement{Name: xml.Name{Local: name}}
	for i := 0; i+1 < len(attributes); i += 2 {
		start.Attr = append(start.Attr, xml.Attr{Name: xml.Name{Local: attributes[i]}, Value: attributes[i+1]})
	}
	j.token(start)
}

func (j *junit) close(name string) { j.token(xml.EndElement{Name: xml.Name{Local: name}}) }

func (j *junit) text(s string) {
	if s != "" {
		j.token(xml.CharData(s))
	}
}

func (j *junit) token(t xml.Token) {
	if j.err == nil {
		j.err = j.out.EncodeToken(t)
	}
}
