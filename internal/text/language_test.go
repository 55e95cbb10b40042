package text_test

import (
	"testing"

	"github.com/assay-eval/assay/internal/text"
)

func TestChinese(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"": false, "123": false, "Who built it?": false,
		"誰建造了它？": true, "香港嘅人口有幾多？": true, "MTR 的總部在哪裡？": true,
		// Digits and names in Latin letters stand beside the words.
		"請問1065戶同889戶喺邊？":                                         true,
		"ABC Ltd 的收入":                                             true,
		"iPhone 15 Pro Max 256GB 幾錢？":                             true,
		"2024-25 年度 HKD 12,345,678.90 係咩？":                        true,
		"Octopus Card 喺 7-Eleven 點增值？":                            true,
		"Bank of China 在哪裡開戶？":                                    true,
		"Hong Kong International Airport Terminal 2 幾時開？":         true,
		"GPT-4o 與 Claude 3.5 Sonnet 的 context window 各是多少 token？": true,
		"python list 點樣排序？":                                       true,
		"COVID-19 PCR test 要幾耐先有結果？":                              true,
		"香港 2024 GDP 增長率":                                         true,
		"優の良品喺邊度有分店？":                                             true,
		"https://www.gov.hk/tc/residents 上面嘅表格喺邊下載？":              true,
		// A text in English about Chinese words.
		"What does 你好 mean?":                                           false,
		"Who wrote 紅樓夢?":                                               false,
		"Does 香港特別行政區 have 區議會 elections?":                             false,
		"Translate the word 的 into English and explain how it is used": false,
		// Other languages that use Han characters.
		"これは何ですか？東京": false, "東京の人口は？": false,
		"日本人口密度最高の都道府県": false, "이것은 무엇입니까": false, "大韓民國의 首都는?": false,
	} {
		if got := text.Chinese(s); got != want {
			t.Errorf("Chinese(%q) = %v, want %v", s, got, want)
		}
	}
}

func TestTongue(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"What notice period applies after the probation?":                "en",
		"Die Kündigung muss in der Probezeit schriftlich erfolgen.":      "de",
		"Quel est le délai de préavis après la période d'essai ?":        "fr",
		"A taxa de uma assinatura anual da biblioteca vence em janeiro.": "pt",
		"Сколько это стоит и где касса?":                                 "ru",
		"वार्षिक सदस्यता का शुल्क क्या है?":                              "hi",
		"هزینه عضویت سالانه این کتابخانه چقدر است؟":                      "fa",
		"この博物館は日曜日に開いています。":                                              "ja",
		"這間圖書館的年費是多少？":                                                   "zh",
		// No word of these is of one language alone.
		"La palestra Forte ha spogliatoi con armadietti a moneta.": "", "La salle de Varra a un bar.": "",
		"timeout_ms = 10000": "", "Ada Brandt": "", "": "",
	} {
		if is := text.Tongue(s); is != want {
			t.Errorf("%s: %q, want %q", s, is, want)
		}
	}
}
