package reply

import "testing"

// A text that ends in a file name, or has a slash for "or", is not the name of a document.
func TestTextsAreNotNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"a.md": true, "docs/a.md": true, "docs/leave": true, "My File.pdf": true, "1. Introduction.md": true, "Smith, J. - CV.pdf": true,
		"https://x.org/y?z": true, "s3://bucket/a": true, "員工手冊2024年版.pdf": true, "一、總則.pdf": true, "人事/請假.pdf": true, "คู่มือ.pdf": true,
		"https://x.org/請假": true, " a.md ": true, "/srv/docs/leave": true,
		"Bring the old one. Source: equipment.pdf": false, "See: equipment.pdf": false, "Ask first! equipment.pdf": false,
		"壞了的電腦由服務台更換。來源：equipment.pdf": false, "大堂借鞋，見sports.pdf": false, "停車場收費為每車10元/小時": false,
		"本店營業時間為9:00至18:00，週六/週日休息。": false, "土曜/日曜は休み": false, "ร้านปิดวันเสาร์/อาทิตย์": false, "A sentence.": false,
		"Is it so? a.md": false, "भोजन। a.md": false, "": false,
	} {
		if got := isName(text); got != want {
			t.Errorf("%q: name %t, want %t", text, got, want)
		}
	}
}
