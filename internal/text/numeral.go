package text

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

const hanNumerals = "零〇一二三四五六七八九兩两十百千萬万億亿"

var hanDigits = map[rune]int64{
	'零': 0, '〇': 0, '一': 1, '二': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9, '兩': 2, '两': 2,
}

var hanUnits = map[rune]int64{'十': 10, '百': 100, '千': 1000}

// han reads a number in Chinese numerals at pos. A single character is rarely meant as
// a number (一定), and those that begin with a unit above ten are usually words (萬一, 千萬).
func (p *numberScanner) han() {
	start := p.pos
	run := p.s[start:p.limit()]
	if i := strings.IndexFunc(run, func(r rune) bool { return !strings.ContainsRune(hanNumerals, r) }); i >= 0 {
		run = run[:i]
	}
	p.pos += len(run)
	percent := strings.HasSuffix(p.s[:start], "百分之")
	first, _ := utf8.DecodeRuneInString(run)
	if n := utf8.RuneCountInString(run); n < 2 && !percent || strings.ContainsRune("百千萬万億亿", first) {
		return
	}
	key, ok := hanValue(run)
	if !ok {
		return
	}
	if percent {
		key = "%" + key
	}
	p.add(start, key)
}

// hanValue returns the value of Chinese numerals: positional (二〇二四), or with units,
// where a final digit after a unit counts tenths of it (三百五 is 350, 三百零五 is 305).
func hanValue(s string) (string, bool) {
	const longest = 20 // keeps the value below the largest int64
	if utf8.RuneCountInString(s) > longest {
		return "", false
	}
	if !strings.ContainsAny(s, "十百千萬万億亿") {
		var b strings.Builder
		for _, r := range s {
			b.WriteString(strconv.FormatInt(hanDigits[r], 10))
		}
		return decimal("", b.String(), "", 0), true
	}
	var total, section, digit int64
	last, large := int64(1), int64(0)
	for _, r := range s {
		if d, ok := hanDigits[r]; ok {
			digit = d
			if d == 0 {
				last = 1
			}
			continue
		}
		if unit, ok := hanUnits[r]; ok {
			if digit == 0 && unit == 10 {
				digit = 1
			}
			section += digit * unit
			digit, last = 0, unit
			continue
		}
		unit := int64(10_000)
		if r == '億' || r == '亿' {
			unit = 100_000_000
		}
		// 一億二千萬 adds, 二萬億 multiplies.
		section += digit
		if unit >= large {
			section += total
			total = 0
		}
		if section > (1<<62-total)/unit {
			return "", false
		}
		total += section * unit
		section, digit, last, large = 0, 0, unit, unit
	}
	if last >= 100 {
		digit *= last / 10
	}
	return strconv.FormatInt(total+section+digit, 10), true
}
