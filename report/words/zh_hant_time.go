package words

import "fmt"

func (TraditionalChinese) TimeTitle() string { return "時間" }
func (TraditionalChinese) TimeHeads() TimeHeads {
	return TimeHeads{Latency: "延遲", Stage: "階段", Mean: "平均", Plot: "平均值（標記為 p95）"}
}
func (TraditionalChinese) MeanTime(mean string) string { return "平均 " + mean }
func (TraditionalChinese) LatencyCaption(_ int, line string) string {
	return "受測系統的回應時間（對數刻度）：" + line + "。"
}
func (TraditionalChinese) LatencyLabel(responses int, line string) string {
	return fmt.Sprintf("%d 個回應的延遲：%s", responses, line)
}
