package html

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// leastContrast is that of graphics against what is beside them (WCAG 2.2, 1.4.11).
const leastContrast = 3

// TestContrast computes the contrast of every colour of the plots with the page, in light
// and in dark. Opacity would make it depend on what lies beneath.
func TestContrast(t *testing.T) {
	t.Parallel()
	sheet, err := os.ReadFile("assets/style.css")
	if err != nil {
		t.Fatal(err)
	}
	roots := regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllStringSubmatch(string(sheet), 2)
	if len(roots) != 2 {
		t.Fatalf("%d blocks of colours, want one for light and one for dark", len(roots))
	}
	rules := regexp.MustCompile(`(\.plot [^{}]*)\{([^}]*)\}`).FindAllStringSubmatch(string(sheet), -1)
	used := map[string]string{}
	for _, r := range rules {
		if strings.Contains(r[2], "opacity") {
			t.Errorf("%s is translucent", strings.TrimSpace(r[1]))
		}
		for _, c := range regexp.MustCompile(`(?:fill|stroke): ([^;}]*)`).FindAllStringSubmatch(r[2], -1) {
			name, ok := strings.CutPrefix(strings.TrimSpace(c[1]), "var(--")
			if !ok {
				t.Errorf("%s: %q is no variable", strings.TrimSpace(r[1]), c[1])
				continue
			}
			if name = strings.TrimSuffix(name, ")"); name != "paper" {
				used[name] = strings.TrimSpace(r[1])
			}
		}
	}
	if len(used) < 5 {
		t.Fatalf("colours of the plots: %v", used)
	}
	for i, mode := range []string{"light", "dark"} {
		colours := map[string]string{}
		for _, c := range regexp.MustCompile(`--(\w+): (#[0-9a-f]{6});`).FindAllStringSubmatch(roots[i][1], -1) {
			colours[c[1]] = c[2]
		}
		for name, rule := range used {
			if colours[name] == "" {
				t.Errorf("%s, %s: no colour %s", mode, rule, name)
			} else if c := contrast(t, colours[name], colours["paper"]); c < leastContrast {
				t.Errorf("%s, %s: %s on paper has a contrast of %.2f, want %d", mode, rule, name, c, leastContrast)
			}
		}
	}
}

// contrast is that of two colours, 1 to 21, by WCAG 2.2.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(colour string) float64 {
		sum := 0.0
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			v := float64(n) / 255
			if v <= 0.04045 {
				v /= 12.92
			} else {
				v = math.Pow((v+0.055)/1.055, 2.4)
			}
			sum += weight * v
		}
		return sum
	}
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}
