package text_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/text"
)

// Marks are what folding leaves out, and not what it reads.
func TestMarks(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"":                                      "",
		"It costs $40, €40, £40 or HK$40.":      "",
		"A$10, 500 ¥, ₩500":                     "a$ ¥ ₩",
		"C++ or C# or c♯ and B-, A−":            "c++ c# c♯ b- a-",
		"<=5 and ≥ 10, 5+":                      "≤ ≥ 0+",
		"2-3, 2–3, 2/3":                         "0-0 0-0 0/0",
		"on 2021-05-03 at 17:30, 05/13/2021":    "",
		`5", “5” and it's 5'`:                   `0" 0'`,
		"36.6 °C, 36.6 ℃, 20°F, 90°":            "0°",
		"5 ‰ of 5 %":                            "‰",
		"5 mW, 5 MW, 5 mg, 10-Mb/s, 12A, 12 a":  "mW MW Mb/s A a a",
		"5 PM, 5 A.M., 3 May, 30 Days, 40 USD":  "",
		"1.200, 1.200.000, 1,200, 1.20, 0.5":    "0.000",
		"-a, n! and 6(1)(a), 5 -a":              "-a n 6(1)(a)",
		"A Tale of Two Cities, not hepatitis A": "a",
		"Group A Streptococcus, type A tumors":  "a a",
		"He read A Tale of Two Cities":          "",
		"(50)":                                  "(00)",
		"$(50), (€450) and (50)":                "$(00)",
		"10², 5k":                               "0^0 10^2",
		"▲ 3 %, ▼3 %, △3億円":                     "▲ ▼ △",
		"✅ Bluetooth, ❌ dogs, 👎, ⬆️ 3":          "✅ ❌ 👎 ⬆",
		"● Lyon\n  ▪ Paris\n◦ Rome":             "",
		"the light is ● and ○ open":             "● ○",
		"│ Paris │ Windows® ©2020 Acme™":        "",
		"the format %s, 100 %, and f'":          "%s f'",
		"It is x′.":                             "x'",
		"'f' and 'x'":                           "",
		"é, café and Ñ":                         "é ñ",
	} {
		if got := strings.Join(text.Marks(s), " "); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
