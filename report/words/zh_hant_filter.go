package words

import (
	"fmt"
	"strings"
)

func (TraditionalChinese) FilterAt(column int, message string) string {
	return fmt.Sprintf("第 %d 欄：%s", column, message)
}

func (TraditionalChinese) FilterNotUTF8() string { return "查詢不是 UTF-8" }

func (TraditionalChinese) FilterClosesNothing() string {
	return "這個右括號沒有對應的左括號：要搜尋它請用引號括住 \")\""
}

func (TraditionalChinese) FilterTermAfter(word string) string {
	return fmt.Sprintf("%s 之後缺少條件", word)
}

func (TraditionalChinese) FilterTermBefore(what string) string {
	return fmt.Sprintf("%s 之前缺少條件；要搜尋它請用引號括住", what)
}

func (TraditionalChinese) FilterTooDeep(most int) string {
	return fmt.Sprintf("括號巢狀超過 %d 層", most)
}

func (TraditionalChinese) FilterWantTerm() string { return "此處缺少條件，例如 status:failed" }

func (TraditionalChinese) FilterGroupOpen() string {
	return "這組括號沒有關上：最後一個條件之後缺少 \")\""
}

func (TraditionalChinese) FilterValueAfter(text string) string {
	return fmt.Sprintf("%q 之後缺少值；要搜尋這段文字請用引號括住", text)
}

func (TraditionalChinese) FilterFieldBefore(op string) string {
	return fmt.Sprintf("%q 之前缺少欄位或指標，例如 mrr@10<0.5；要搜尋這段文字請用引號括住", op)
}

func (TraditionalChinese) FilterSpaceBeforeQuote() string {
	return "引號之前缺少空格；引號內以 \\\" 表示引號"
}

func (TraditionalChinese) FilterSpaceAfterQuote() string {
	return "引號之後缺少空格；引號內以 \\\" 表示引號"
}

func (TraditionalChinese) FilterParenthesisOpen() string {
	return "這個括號在字詞內沒有關上；要搜尋它請用引號括住整個字詞"
}

func (TraditionalChinese) FilterEmptyQuotes() string { return "引號之間缺少文字" }

func (TraditionalChinese) FilterQuoteOpen() string { return "這個引號沒有關上" }

func (TraditionalChinese) FilterGuess(near string) string {
	return fmt.Sprintf("是否要寫 %q？", near)
}

func (TraditionalChinese) FilterOneOf(names []string) string {
	return "可用的有 " + strings.Join(names, "、")
}

func (TraditionalChinese) FilterSearchText(hint, quoted string) string {
	return fmt.Sprintf("%s；要搜尋這段文字請寫 %s", hint, quoted)
}

func (TraditionalChinese) FilterNoMetric(name, hint string) string {
	return fmt.Sprintf("這次執行沒有指標 %q，也沒有這個欄位：%s", name, hint)
}

func (TraditionalChinese) FilterUnordered(name, instead string) string {
	return fmt.Sprintf("%s 沒有大小之分，也不能部分比對：請寫 %s", name, instead)
}

func (TraditionalChinese) FilterNoValue(name, value, hint string) string {
	return fmt.Sprintf("%s 沒有 %q 這個值：%s", name, value, hint)
}

func (TraditionalChinese) FilterIsText(name, instead string) string {
	return fmt.Sprintf("%s 是文字：要在其中搜尋請寫 %s", name, instead)
}

func (TraditionalChinese) FilterNoTag(tag, hint string) string {
	return fmt.Sprintf("沒有案例帶標籤 %q：%s", tag, hint)
}

func (TraditionalChinese) FilterNotNumber(term, value, want string) string {
	return fmt.Sprintf("%s%q：應為%s", term, value, want)
}

func (TraditionalChinese) FilterDuration() string { return "時間長度，例如 2s 或 500ms" }

func (TraditionalChinese) FilterDollars() string { return "美元金額，例如 0.01" }

func (TraditionalChinese) FilterNumber() string { return "數字" }

func (TraditionalChinese) FilterIsNumber(name string) string {
	return fmt.Sprintf("%s 是數字：應為 <、<=、>、>=、= 或 !=", name)
}

func (TraditionalChinese) FilterOneNumber(term string) string {
	return fmt.Sprintf("%s 只接受一個數字", term)
}

func (TraditionalChinese) FilterIsMetric(metric, name string) string {
	return fmt.Sprintf("%s 是數字：應為 <、<=、>、>=、=、!= 或狀態，例如 %s:none", metric, name)
}

func (TraditionalChinese) FilterNoState(metric, value, hint string) string {
	return fmt.Sprintf("%s 不能是 %q：應為數字或分數的狀態：%s", metric, value, hint)
}

func (TraditionalChinese) FilterNoOrder(name, hint string) string {
	return fmt.Sprintf("沒有 %q 這個順序：%s", name, hint)
}

func (TraditionalChinese) FilterNotCounted() string {
	return "執行完成後才計算文件數，這次執行尚未完成"
}

func (TraditionalChinese) FilterNoDelta() string {
	return "delta 是兩次執行之間的變化：單次執行的案例沒有"
}

func (TraditionalChinese) FilterNoChange(metric, hint string) string {
	return fmt.Sprintf("這些執行沒有共同的指標 %q：%s", metric, hint)
}

func (TraditionalChinese) FilterNoDraws() string {
	return "flaky 需要提問超過一次的案例，這些案例只問了一次"
}

func (TraditionalChinese) FilterNoFlaky() string {
	return "flaky 表示比較中某次執行的多次抽樣是否不一致：單次執行的案例沒有這個標記"
}

func (TraditionalChinese) FilterNoLabel() string {
	return "只有伺服器及其頁面知道人給的標註：執行的紀錄中沒有"
}
