package redact

import (
	"slices"
	"strings"
	"testing"
)

// found are texts in which each recogniser finds what stands between «». What has none of
// these is a near miss.
var found = map[string][]string{
	"email": {
		"«john.doe+tag@example.com»", "Write to «john@x.com».", "<«a@b.co»>", "mailto:«john@x.com»?subject=1", "**«john@x.com»**",
		"user=«o'brien@mail.example.co.uk»,", "'«john@x.com»'", "«_x@y.org»", "«john@x.com».5",
		"«jürgen@müller.de»", "電郵«john@x.com»。", "請聯絡«john@x.com»查詢", "聯絡 «用户@例子.广告»", "«почта@пример.рф»",
		"«x@xn--fiqs8s.xn--fiqs8s»", "git «git@github.com»:org/repo", "«a@b.cd»@e.fg",
		"a@b", "user@localhost", "@types/node@18.0.0", "icon@2x.png", "logo@3x.webp", "x@1.2.3", "@app.route", "me @ home.example", "a@b.c",
		"@",
		"1@2.3", "foo@-bar.com", "foo@bar..com",
	},
	"card": {
		"«4111111111111111»", "card «4111 1111 1111 1111», exp", "«4111-1111-1111-1111»", "«378282246310005»", "«3782 822463 10005»",
		"«5555555555554444»", "«2223003122003222»", "«6011111111111117»", "«3530111333300000»", "«30569309025904»", "«6200000000000005»",
		"12 «4111 1111 1111 1111» 12/29", "卡號«4111111111111111»。", "a,«4111111111111111»,b",
		// Order numbers, and other numbers.
		"4111111111111112", "1234567890123456", "ORD-4111111111111111", "nq--4111111111111111", "4111111111111111-a", "x4111111111111111",
		"0.4111111111111111", "4111111111111111.5",
		"41111111111111111", "4111 1111-1111 1111", "4111  1111 1111 1111", "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "4111.1111.1111.1111",
		"4222222222222",
		"1768478400100000000", "9780306406157", "deadbeef4111111111111111", "8111111111111111",
	},
	"iban": {
		"«GB82WEST12345698765432»", "IBAN: «GB82 WEST 1234 5698 7654 32».", "«de89370400440532013000»", "«DE89-3704-0044-0532-0130-00»",
		"«NO9386011117947»", "«MT84MALT011000012345MTLCAST001S»", "(«FR1420041010050500013M02606»)",
		"GB82WEST12345698765433", "GB82WEST1234569876543", "GB82WEST123456987654321", "XX82WEST12345698765432", "xGB82WEST12345698765432",
		"GB82  WEST 1234 5698 7654 32", "IBAN",
	},
	"ip": {
		"«203.0.113.7»", "from «203.0.113.7»:443", "http://«10.1.2.3»/x", "«203.0.113.0»/24", "at «203.0.113.7».", "«10.0.0.1»-«10.0.0.9»",
		"«2001:db8::1»", "[«2001:db8::1»]:443", "«fe80::1»%eth0", "«2001:db8:0:0:0:0:0:1»", "«::ffff:203.0.113.7»", "ip=«2001:DB8::A».",
		"來自«203.0.113.7»。",
		"127.0.0.1", "::1", "0.0.0.0", "1.2.3", "v1.2.3.4", "version 1.2.3.4", "Version: 10.0.19041.1", "Chrome/120.0.0.0 Safari", "1.2.3.4.5",
		"256.1.1.1",
		"01.2.3.4", "tool-1.2.3.4", "1.2.3.4-beta", "1.2.3.4.tgz", "12:30:45", "00:1a:2b:3c:4d:5e", "std::string", "Cafe::Bad", "a:b", "::",
		"x1.2.3.4",
		"1:2", "2026-01-15T12:00:00Z", "0.1.2", "score 0.5.", "1.2.3.4x",
	},
	"hkid": {
		"«A123456(3)»", "HKID «A123456(3)».", "«a123456(3)»", "«A1234563»", "«A123456 (3)»", "身份證«A123456(3)»號", "«G123456(A)»",
		"«AB987654(3)»",
		"A123456(4)", "A1234564", "a1234563", "A123456", "A12345(3)", "ABC123456(3)", "xA123456(3)", "A123456(3", "A12345637", "1A123456(3)",
		"ORD-1234563", "A1234563-39A3-4353-8695-BFE81EAD599B", "x-A1234563", "LY2405319", "A123456((3)", "",
	},
	"cn_id": {
		"«11010519491231002X»", "身份证«11010519491231002x»。", "«440524188001010014»",
		"110105194912310021", "11010519491331002X", "1101051949123100", "11010519491231002X1", "x11010519491231002X",
	},
	"phone": {
		"«+852 9123 4567»", "call «+85291234567».", "«+1 (212) 555-1234»", "«+44 20 7946 0958»", "«+44 (0)20 7946 0958»", "«+49-30-1234567»",
		"«(212) 555-1234»", "«212-555-1234»", "«212.555.1234»", "«1-212-555-1234»", "致«9123 4567»", "ring «9123-4567»!", "«2123 4567» ext. 12",
		"«138 1234 5678»", "«138-1234-5678»", "«020 7946 0958»", "«030 12345678»", "«06 12 34 56 78»", "«(020) 7946 0958»",
		"phone: «91234567»", "Tel. «91234567»", "電話:«91234567»", "手機號碼是«91234567»", "WhatsApp «91234567»", "mobile number is «07700900123»",
		"room 12 «9123 4567»", "12,«212-555-1234»", "12,«9123 4567»,x",
		// Other numbers.
		"91234567", "13812345678", "ORD-12345678", "order 12345678", "2023 2024", "2023-2024", "1999-2000", "5000 6000", "2026-01-15",
		"01-02-2023",
		"01-02-2023 10:30", "1.2.3.4", "10.0.19041.1", "v2.10.1.1234567", "+1.5", "+12", "3.14159265", "1 000 000", "49,273 400 1904", "12:30",
		"4111 1111 1111 1111",
		"1234 5678 9012", "550e8400-e29b-41d4-a716-446655440000",
		"01a217f5-1dba-7681-8994-0cc72fe88705", "run--01a217f5-3877-7224-bece-034d645869e0-0", "01a21807-9123-4567", "iPhone 1234567",
		"ISBN 978-0-306-40615-7", "1/2/2023",
		"2212-555-1234", "212-555-12345", "a212-555-1234",
	},
	"url_credentials": {
		"https://«user:pa55»@host/x", "postgres://«u:p@w»@db:5432/x", "https://«token»@github.com/a/b",
		"see redis://«:secret»@r and ftp://«a:b»@c",
		"https://host/@user", "https://host/?a=x@y.com", "mailto:a@b.co", "https://host:80/", "://", "https://@host", "a://b c@d",
	},
	"api_key": {
		"«sk-proj-abc123abc123abc123abc»", "key=«ghp_0123456789abcdef0123456789abcdef0123»;", "«AKIAIOSFODNN7EXAMPLE»",
		"Authorization: Bearer «abcdef0123456789.xyz»",
		"basic «dXNlcjpwYXNzd29yZA==»", "«hf_0123456789abcdefghijABCDEFGHIJabcd»", "«xoxb-12345-abcdef»", "«sk_live_0123456789abcdef»",
		"«eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_1»", "«glpat-0123456789abcdefghij»",
		"a «-----BEGIN RSA PRIVATE KEY-----\nMIIx\n-----END RSA PRIVATE KEY-----» b", "«-----BEGIN PRIVATE KEY-----\nMIIx",
		"sk-learn", "sk-learn-is-a-python-library-name", "basic understanding_of_it", "Bearer token", "ghp_short1",
		"task-0123456789abcdef0123456789",
		"eyJhbGciOiJIUzI1NiJ9", "eyJhbGciOiJIUzI1NiJ9.x.y", "-----BEGIN CERTIFICATE-----\nMII", "AKIAIOSFODNN", "- x", "e", "B", "s",
	},
}

// TestRecognisers: each finds what it should, and no more.
func TestRecognisers(t *testing.T) {
	t.Parallel()
	for _, r := range Recognisers() {
		if len(found[r.Name]) < 8 || r.Doc == "" || r.Source == "" {
			t.Errorf("%s: want a table, a description and a source", r.Name)
		}
		rules := rulesOf(t, "recognise: ["+r.Name+"]\n")
		for _, c := range found[r.Name] {
			in := strings.NewReplacer("«", "", "»", "").Replace(c)
			want := c
			for {
				before, rest, ok := strings.Cut(want, "«")
				if !ok {
					break
				}
				_, after, ok := strings.Cut(rest, "»")
				if !ok {
					after = ""
				}
				want = before + "[" + r.Name + "]" + after
			}
			if got := rules.alone(in); got != want {
				t.Errorf("%s: %q becomes %q, want %q", r.Name, in, got, want)
			}
		}
	}
	if !slices.Equal(recogniserNames(), all(t).Names()) {
		t.Error("the order of the recognisers is not theirs")
	}
}

// Texts made to be read again and again: what the patterns match is at most a few times the text.
func TestRecognisersReadOnce(t *testing.T) {
	t.Parallel()
	for _, r := range Recognisers() {
		r := r.compiled()
		for _, unit := range []string{"sk-", "npm_", "xsk-", "sk-1", "SG.", "eyJ.", "eyJ.eyJ.", "Bearer ", "a.b-", "a@2x.png ", "://", "1.1.1.1-",
			"::", "+1", "12-", "0900 ", "4111 ", "AA11", "A123456(", "phone:", "-----BEGIN PRIVATE KEY-----"} {
			text := strings.Repeat(unit, 2000) + "@2x.png"
			matched, check := 0, r.check
			if check == nil {
				continue
			}
			r.check = func(m match) int {
				matched += m.end - m.start
				return check(m)
			}
			for at, end := 0, 0; at >= 0 && end >= 0; {
				if at, end = r.find(text, end); end <= at {
					break
				}
			}
			if r.check = check; matched > 40*len(text) {
				t.Errorf("%s reads %d bytes of %d times %q, %d bytes", r.Name, matched, 2000, unit, len(text))
			}
		}
	}
}
