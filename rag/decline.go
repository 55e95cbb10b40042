package rag

import (
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/text"
)

// traditional holds common characters that simplified Chinese does not use.
const traditional = "們這個來時說學對嗎麼為與國會過發後裡誰嗎還沒問題開關東車長門間電話請該從點樣當動機種數據檔應實現總處類"

// Declines lists the sentences with which the extractive generator declines, for code
// that must recognise a refusal.
func Declines() []string {
	return []string{
		"The documents do not answer this.", "文档中没有答案。", "文件中沒有答案。", "文書には答えがありません。",
		"문서에 답이 없습니다.",
	}
}

// Decline returns the declining sentence in the question's script: Chinese where
// [text.Chinese] says so, else English unless at least three tenths of it are Chinese,
// Japanese or Korean.
func Decline(question string) string {
	all := Declines()
	switch {
	case text.Chinese(question) && strings.ContainsAny(question, traditional):
		return all[2]
	case text.Chinese(question):
		return all[1]
	case text.ShareCJK(question) < 0.3:
		return all[0]
	case strings.ContainsFunc(question, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }):
		return all[3]
	case strings.ContainsFunc(question, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }):
		return all[4]
	case strings.ContainsAny(question, traditional):
		return all[2]
	}
	return all[1]
}
