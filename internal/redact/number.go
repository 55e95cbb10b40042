package redact

import (
	"strconv"
	"time"
)

// findCard finds numbers of payment cards.
func findCard(s string, from int) (start, end int) {
	for i := digitAt(s, from); i >= 0; {
		next := digitsAt(s, i)
		if !wordBefore(s, i) {
			if end := cardAt(s, i); end > 0 && !isJoined(s, i, end) {
				return i, end
			}
		}
		i = digitAt(s, next)
	}
	return -1, -1
}

const (
	leastCard = 14
	mostCard  = 19
)

// cardAt returns the end of a card's number at i: its digits together, or in groups of 3 to 8
// with the same space or hyphen between them. It is 0 if there is none.
func cardAt(s string, i int) int {
	var digits [mostCard]byte
	n, at, found := 0, i, 0
	separator := byte(0)
	for {
		next := digitsAt(s, at)
		size := next - at
		if n+size > mostCard || separator != 0 && (size < 3 || size > 8) {
			return found
		}
		n += copy(digits[n:], s[at:next])
		if n >= leastCard && isCard(digits[:n]) && !wordAfter(s, next) {
			found = next
		}
		if next+1 >= len(s) || s[next] != ' ' && s[next] != '-' || separator != 0 && s[next] != separator || !isDigit(s[next+1]) ||
			separator == 0 && (size < 3 || size > 8) {
			return found
		}
		separator = s[next]
		at = next + 1
	}
}

// isCard reports whether digits are of a network's range and length, and pass the check of
// Luhn.
func isCard(digits []byte) bool {
	prefix := func(n int) int {
		v, _ := strconv.Atoi(string(digits[:n])) // they are digits
		return v
	}
	n, two, three, four := len(digits), prefix(2), prefix(3), prefix(4)
	switch {
	case digits[0] == '4': // Visa
		if n != 16 && n != 19 {
			return false
		}
	case two >= 51 && two <= 55, four >= 2221 && four <= 2720: // Mastercard
		if n != 16 {
			return false
		}
	case two == 34, two == 37: // American Express
		if n != 15 {
			return false
		}
	case two == 36, two == 38, two == 39, three >= 300 && three <= 305: // Diners Club
	case four == 6011, two == 65, three >= 644 && three <= 649, // Discover
		four >= 3528 && four <= 3589, // JCB
		two == 62:                    // UnionPay
		if n < 16 {
			return false
		}
	default:
		return false
	}
	sum := 0
	for i, c := range digits {
		v := int(c - '0')
		if (n-i)%2 == 0 {
			if v *= 2; v > 9 {
				v -= 9
			}
		}
		sum += v
	}
	return sum%10 == 0
}

// findChinaID finds identity numbers of mainland China.
func findChinaID(s string, from int) (start, end int) {
	const size = 18
	for i := digitAt(s, from); i >= 0; {
		next := digitsAt(s, i)
		if end := i + size; next-i >= size-1 && end <= len(s) && !wordBefore(s, i) && !wordAfter(s, end) && isChinaID(s[i:end]) {
			return i, end
		}
		i = digitAt(s, next)
	}
	return -1, -1
}

// isChinaID checks 17 digits and a character: digits 7 to 14 are the date of birth.
func isChinaID(s string) bool {
	born, err := time.Parse("20060102", s[6:14])
	if err != nil || born.Year() < 1850 || born.Year() > 2150 {
		return false
	}
	// The weights are the powers of 2 modulo 11, from the right.
	sum, weight := 0, 1
	for i := 16; i >= 0; i-- {
		weight = weight * 2 % 11
		sum += int(s[i]-'0') * weight
	}
	const checks = "10X98765432"
	return s[17]&^0x20 == 'X' && checks[sum%11] == 'X' || s[17] == checks[sum%11]
}

// findHKID finds numbers of identity cards of Hong Kong.
func findHKID(s string, from int) (start, end int) {
	for i := digitAt(s, from); i >= 0; {
		next := digitsAt(s, i)
		if start, end := hkidAt(s, from, i, next); end > 0 {
			return start, end
		}
		i = digitAt(s, next)
	}
	return -1, -1
}

// hkidAt reads the number whose digits are from i to next; end is 0 if there is none.
func hkidAt(s string, from, i, next int) (start, end int) {
	const digits = 6
	start = i
	for start > from && isLetter(s[start-1]) && i-start < 3 {
		start--
	}
	letters := i - start
	if letters < 1 || letters > 2 || wordBefore(s, start) || next-i < digits || next-i > digits+1 {
		return 0, 0
	}
	check := byte(0)
	at := i + digits
	bracket := false
	if next == at && at < len(s) {
		open := at
		if s[open] == ' ' && open+1 < len(s) {
			open++
		}
		if bracket = s[open] == '('; bracket {
			at = open + 1
		}
	}
	if at < len(s) {
		check = s[at]
	}
	end = at + 1
	if bracket {
		if end >= len(s) || s[end] != ')' {
			return 0, 0
		}
		end++
	} else if letters > 1 || s[start] >= 'a' || wordAfter(s, end) || isJoined(s, start, end) {
		return 0, 0
	}
	return start, validHKID(s[start:i+digits], check, end)
}

// validHKID returns end if the check digit is right, else 0. The sum of the check digit and of
// the characters times 9 to 2 is a multiple of 11; a letter counts from A = 10, a space, before
// a single letter, 36.
func validHKID(number string, check byte, end int) int {
	sum := 0
	if len(number) == 7 {
		sum = 9 * 36
	}
	for i := range len(number) {
		v := int(number[i] - '0')
		if isLetter(number[i]) {
			v = int(number[i]&^0x20-'A') + 10
		}
		sum += v * (len(number) + 1 - i)
	}
	switch {
	case isDigit(check):
		sum += int(check - '0')
	case check == 'A' || check == 'a':
		sum += 10
	default:
		return 0
	}
	if sum%11 != 0 {
		return 0
	}
	return end
}
