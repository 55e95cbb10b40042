package redact

// ibanLengths are the lengths of account numbers by country, as SWIFT's registry has them.
var ibanLengths = map[string]int{
	"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BI": 27, "BR": 29, "BY": 28,
	"CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
	"FK": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HN": 28, "HR": 21, "HU": 28,
	"IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20,
	"LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MN": 20, "MR": 27, "MT": 31, "MU": 30, "NI": 28,
	"NL": 18, "NO": 15, "OM": 23, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "RU": 33, "SA": 24,
	"SC": 31, "SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "SO": 23, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26,
	"UA": 29, "VA": 22, "VG": 24, "XK": 20, "YE": 30,
}

// findIBAN finds numbers of bank accounts, in capitals or not, with or without single spaces
// or hyphens.
func findIBAN(s string, from int) (start, end int) {
	for i := digitAt(s, from+2); i >= 0; {
		next := digitsAt(s, i)
		if start := i - 2; start >= from && next-i >= 2 && isLetter(s[start]) && isLetter(s[start+1]) && !wordBefore(s, start) {
			if end := ibanAt(s, start); end > 0 {
				return start, end
			}
		}
		i = digitAt(s, next)
	}
	return -1, -1
}

// ibanAt returns the end of the account number at i; 0 if there is none.
func ibanAt(s string, i int) int {
	want := ibanLengths[string([]byte{s[i] &^ 0x20, s[i+1] &^ 0x20})]
	if want == 0 {
		return 0
	}
	var number [34]byte
	n := 0
	for ; n < want && i < len(s); i++ {
		switch c := s[i]; {
		case isDigit(c):
			number[n] = c
			n++
		case isLetter(c):
			number[n] = c &^ 0x20
			n++
		case (c == ' ' || c == '-') && n >= 4 && isWord(s[i-1]):
		default:
			return 0
		}
	}
	if n < want || wordAfter(s, i) {
		return 0
	}
	// The first four characters moved to the end, letters as 10 to 35: 1 modulo 97.
	rest := 0
	for j := range n {
		c := number[(j+4)%n]
		if isDigit(c) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	if rest != 1 {
		return 0
	}
	return i
}
