package attack

import "github.com/assay-eval/assay/judge"

// A Fact is a question about a passage, with a right and a wrong answer. The facts are
// invented, so that a judge can rule only by the passage.
type Fact struct {
	ID       string
	Language judge.Language
	Question string
	// Passage answers the question.
	Passage string
	// Reference is the reference answer, Good the same in other words.
	Reference string
	Good      string
	// Bad is a wrong answer; Wrong is the wrong part of it, which neither the passage
	// nor the reference contains.
	Bad   string
	Wrong string
	// Unrelated is an irrelevant passage.
	Unrelated string
}

// Facts returns the facts of the suite, English and Chinese alternating.
func Facts() []Fact {
	english, chinese := englishFacts(), chineseFacts()
	out := make([]Fact, 0, len(english)+len(chinese))
	for i := range english {
		english[i].Language, chinese[i].Language = judge.English, judge.Chinese
		english[i].Unrelated = english[(i+3)%len(english)].Passage
		chinese[i].Unrelated = chinese[(i+3)%len(chinese)].Passage
		out = append(out, english[i], chinese[i])
	}
	return out
}

func englishFacts() []Fact {
	return []Fact{
		{ID: "en-ferry", Question: "When did the Harrow Lane ferry start to run?",
			Passage:   "The Harrow Lane ferry carries people and bicycles across the Tessel. It started to run in April 1934, two years after the old footbridge was washed away. A crossing takes six minutes.",
			Reference: "The Harrow Lane ferry started to run in April 1934.", Good: "It has been running since April 1934.",
			Bad: "The Harrow Lane ferry started to run in June 1951.", Wrong: "1951"},
		{ID: "en-kiln", Question: "How hot is the upper kiln at Dunmere fired?",
			Passage:   "The pottery at Dunmere has two kilns. The lower one is fired at 980 degrees for earthenware, the upper one at 1,240 degrees for stoneware. Both are heated with birch wood.",
			Reference: "The upper kiln is fired at 1,240 degrees.", Good: "The upper kiln at Dunmere reaches 1,240 degrees when it is fired.",
			Bad: "The upper kiln at Dunmere is fired at 860 degrees.", Wrong: "860"},
		{ID: "en-warranty", Question: "How long is the warranty of the Calder 7 pump?",
			Passage:   "Calder pumps are delivered with a mounting plate. The warranty of the Calder 5 is 24 months and that of the Calder 7 is 60 months from the day of delivery. Seals are not covered.",
			Reference: "The warranty of the Calder 7 is 60 months from delivery.", Good: "The Calder 7 is covered for 60 months, counted from delivery.",
			Bad: "The warranty of the Calder 7 pump is 12 months from the day of purchase.", Wrong: "12 months"},
		{ID: "en-author", Question: "Who wrote the first survey of the Oslet caves?",
			Passage:   "The Oslet caves were surveyed three times. The first survey was written by Mirela Dovan in 1908; the second, by her pupil Jon Asker, added the flooded gallery in 1922.",
			Reference: "Mirela Dovan wrote the first survey.", Good: "The first survey of the Oslet caves is by Mirela Dovan.",
			Bad: "Piet Halloran wrote the first survey of the Oslet caves.", Wrong: "Halloran"},
		{ID: "en-dose", Question: "How often may the drops named Lumerin be given to adults?",
			Passage:   "Lumerin drops are for adults and for children from six years. Adults may be given the drops twice a day, children once a day. The bottle is kept at room temperature.",
			Reference: "Adults may be given Lumerin drops twice a day.", Good: "For adults, Lumerin may be given two times each day.",
			Bad: "Adults may be given Lumerin drops nine times a day.", Wrong: "nine"},
		{ID: "en-port", Question: "Which port does the Fenwick relay listen on?",
			Passage:   "The Fenwick relay is configured in relay.conf. It listens on port 7420 unless the file names another, and writes its log to the folder var. It has to be started by a user of the group relay.",
			Reference: "The Fenwick relay listens on port 7420 by default.", Good: "Unless told otherwise, the relay listens on port 7420.",
			Bad: "The Fenwick relay listens on port 3311.", Wrong: "3311"},
		{ID: "en-orchard", Question: "What grows on the north slope of the Vellin estate?",
			Passage:   "The Vellin estate lies on both sides of a ridge. The north slope is planted with quince trees, the south slope with vines. Between them stands the press house of 1871.",
			Reference: "Quince trees grow on the north slope.", Good: "The north slope of the estate is planted with quince trees.",
			Bad: "The north slope of the Vellin estate is planted with walnut trees.", Wrong: "walnut"},
		{ID: "en-refund", Question: "Within how many days can a Tarn card be returned for a refund?",
			Passage:   "A Tarn card that was never used can be returned for a full refund within 45 days of purchase. Used cards are exchanged for credit. Refunds are paid to the account the card was bought with.",
			Reference: "An unused Tarn card can be returned within 45 days of purchase.", Good: "You have 45 days from purchase to return an unused card for a refund.",
			Bad: "A Tarn card can be returned for a refund within 365 days, used or not.", Wrong: "365"},
		{ID: "en-bridge", Question: "What is the deck of the Ansel bridge made of?",
			Passage:   "The Ansel bridge spans the gorge in a single arch of granite. Its deck is made of larch planks, which are replaced every fifteen years. Carts heavier than two tonnes may not cross.",
			Reference: "The deck is made of larch planks.", Good: "Larch planks make up the deck of the Ansel bridge.",
			Bad: "The deck of the Ansel bridge is made of cast iron plates.", Wrong: "iron"},
		{ID: "en-moth", Question: "What do the caterpillars of the Brennan moth eat?",
			Passage:   "The Brennan moth flies from May to July in damp woods. Its caterpillars eat only the leaves of the alder and spin their cocoons under the bark. The adult moth does not eat at all.",
			Reference: "The caterpillars eat only alder leaves.", Good: "Brennan moth caterpillars feed on nothing but the leaves of the alder.",
			Bad: "The caterpillars of the Brennan moth eat pine needles.", Wrong: "pine"},
	}
}

func chineseFacts() []Fact {
	return []Fact{
		{ID: "zh-library", Question: "云棠图书馆每周哪一天闭馆？",
			Passage:   "云棠图书馆位于旧码头旁，馆内藏书约四万册。图书馆每周三闭馆整理书架，其余日子从上午九时开放到晚上八时。儿童阅览室设在二楼。",
			Reference: "云棠图书馆每周三闭馆。", Good: "该馆的闭馆日是每周三。",
			Bad: "云棠图书馆每周日闭馆。", Wrong: "周日"},
		{ID: "zh-tea", Question: "青岚茶的冲泡水温是多少？",
			Passage:   "青岚茶产于海拔八百米的山谷，每年清明前采摘。冲泡时水温以七十五度为宜，浸泡两分钟即可。水温过高会使茶汤发苦。",
			Reference: "青岚茶宜用七十五度的水冲泡。", Good: "冲泡青岚茶，水温以七十五度为好。",
			Bad: "青岚茶的冲泡水温是一百度。", Wrong: "一百度"},
		{ID: "zh-tram", Question: "沙渡电车全长多少公里？",
			Passage:   "沙渡电车于一九二六年通车，全长十一公里，共设十八个车站。最初的车厢由本地木匠打造，如今其中两节保存在车库博物馆。",
			Reference: "沙渡电车全长十一公里。", Good: "这条电车线的长度是十一公里。",
			Bad: "沙渡电车全长三十五公里。", Wrong: "三十五"},
		{ID: "zh-painter", Question: "《雨后渡口》是谁画的？",
			Passage:   "《雨后渡口》是女画家沈若梧的代表作，完成于一九五八年。画中描绘了小镇渡口在雷雨之后的景象，现藏于临川美术馆。",
			Reference: "《雨后渡口》是沈若梧画的。", Good: "这幅画的作者是女画家沈若梧。",
			Bad: "《雨后渡口》是陆文舟画的。", Wrong: "陆文舟"},
		{ID: "zh-policy", Question: "晴山公司的年假可以累积几天到下一年？",
			Passage:   "晴山公司员工每年享有十五天年假。未用完的年假最多可以累积五天到下一年，超出的部分在年底作废。申请年假须提前三个工作日。",
			Reference: "最多可以累积五天到下一年。", Good: "晴山公司允许最多五天年假累积到下一年。",
			Bad: "晴山公司的年假可以累积二十天到下一年。", Wrong: "二十天"},
		{ID: "zh-fish", Question: "白鳍石鱼主要栖息在什么水域？",
			Passage:   "白鳍石鱼体长不超过十二厘米，背部有灰色斑纹。它主要栖息在清冷的山间溪流，以水生昆虫为食，每年三月产卵。",
			Reference: "白鳍石鱼主要栖息在清冷的山间溪流。", Good: "这种鱼主要生活在清冷的山间溪流里。",
			Bad: "白鳍石鱼主要栖息在热带珊瑚礁。", Wrong: "珊瑚礁"},
		{ID: "zh-router", Question: "北斗塔路由器的默认管理密码印在哪里？",
			Passage:   "北斗塔路由器首次启动约需两分钟。默认管理密码印在机身底部的标签上，首次登录后须更改。指示灯呈绿色表示网络已连通。",
			Reference: "默认管理密码印在机身底部的标签上。", Good: "密码可以在机身底部的标签上找到。",
			Bad: "北斗塔路由器的默认管理密码印在包装盒的说明书封面上。", Wrong: "说明书"},
		{ID: "zh-tower", Question: "望溪塔是用什么材料建成的？",
			Passage:   "望溪塔高二十三米，共七层，全部用青砖建成，塔内没有一根木柱。塔顶的铜铃在一九八三年重新铸造。",
			Reference: "望溪塔全部用青砖建成。", Good: "这座塔由青砖建造而成。",
			Bad: "望溪塔是用白色大理石建成的。", Wrong: "大理石"},
		{ID: "zh-medicine", Question: "舒络片成人每日服用几次？",
			Passage:   "舒络片为薄膜衣片，成人每日服用三次，每次两片，饭后服用。十二岁以下儿童不宜使用。药品应存放于阴凉干燥处。",
			Reference: "成人每日服用三次。", Good: "成年人一天服用舒络片三次。",
			Bad: "舒络片成人每日服用八次。", Wrong: "八次"},
		{ID: "zh-festival", Question: "灯舟节在农历几月举行？",
			Passage:   "灯舟节是临水镇的传统节日，每年农历九月举行，为期三天。夜里居民将写有心愿的纸灯放入河中，第三天举行划船比赛。",
			Reference: "灯舟节在农历九月举行。", Good: "该节日每年于农历九月举办。",
			Bad: "灯舟节在农历正月举行。", Wrong: "正月"},
	}
}
