package probe

import "github.com/assay-eval/assay/judge"

// An Item is a passage with three statements that it bears out, and the same
// three, each spoilt in its own way. The items are invented, so that no model
// can rule from memory.
type Item struct {
	ID       string
	Language judge.Language
	// Question asks for all that Statements say.
	Question string
	Passage  string
	// Statements are true by the passage.
	Statements [3]string
	// Spoilt holds, for each of [Corruptions], the statement of that place with
	// that one thing changed.
	Spoilt [3]string
}

// The ways to spoil a statement, in the order of [Item.Spoilt].
const (
	Number   = "number"
	Negation = "negation"
	Entity   = "entity"
)

// Corruptions lists the ways to spoil a statement.
func Corruptions() [3]string { return [3]string{Number, Negation, Entity} }

// Answer gives the statements as one text; spoil, from 0, names the one that
// stands there spoilt, and -1 none.
func (it Item) Answer(spoil int) string {
	parts := it.statements(spoil)
	sep := " "
	if it.Language == judge.Chinese {
		sep = ""
	}
	return parts[0] + sep + parts[1] + sep + parts[2]
}

func (it Item) statements(spoil int) [3]string {
	out := it.Statements
	if spoil >= 0 {
		out[spoil] = it.Spoilt[spoil]
	}
	return out
}

// Items returns the items, English and Chinese in turn.
func Items() []Item {
	var out []Item
	for i := range englishItems {
		e, c := englishItems[i], chineseItems[i]
		e.Language, c.Language = judge.English, judge.Chinese
		out = append(out, e, c)
	}
	return out
}

var englishItems = [10]Item{
	{ID: "en-mill", Question: "What is known about the mill at Corran?",
		Passage:    "The mill at Corran was built in 1782 and ground oats until the war. Its wheel turns four times a minute. The miller's house is not open to visitors, because it is still lived in. The mill belongs to the county of Ashby, which bought it from the Loder family.",
		Statements: [3]string{"The mill at Corran was built in 1782.", "The miller's house is not open to visitors.", "The mill belongs to the county of Ashby."},
		Spoilt:     [3]string{"The mill at Corran was built in 1728.", "The miller's house is open to visitors.", "The mill belongs to the county of Wexley."}},
	{ID: "en-lamp", Question: "What should one know about the Sorrel lamp?",
		Passage:    "The Sorrel lamp runs for 36 hours on one charge. It can be used outdoors, since its case keeps water out. It is made in Lisbon by the firm Ardente, and comes with a hook. Its light cannot be dimmed.",
		Statements: [3]string{"The Sorrel lamp runs for 36 hours on one charge.", "The lamp can be used outdoors.", "It is made in Lisbon."},
		Spoilt:     [3]string{"The Sorrel lamp runs for 63 hours on one charge.", "The lamp cannot be used outdoors.", "It is made in Naples."}},
	{ID: "en-heron", Question: "What did the count of herons on Lake Ummel find?",
		Passage:    "In the spring count, 214 herons nested on the islands of Lake Ummel. The herons did not nest on the western shore, where foxes hunt. The count was led by Dr Ilse Brandt. Two years before, there had been half as many nests.",
		Statements: [3]string{"The count found 214 herons nesting on the islands of Lake Ummel.", "The herons did not nest on the western shore.", "Ilse Brandt led the count."},
		Spoilt:     [3]string{"The count found 412 herons nesting on the islands of Lake Ummel.", "The herons nested on the western shore.", "Jonas Keller led the count."}},
	{ID: "en-tax", Question: "How does the harbour fee of Pell work?",
		Passage:    "Boats longer than 9 metres pay the harbour fee of Pell. Fishing boats that are registered in the town are exempt from it. The fee is collected by the harbour master in the red office on Quay Street. It has not changed since the new pier was opened.",
		Statements: [3]string{"Boats longer than 9 metres pay the harbour fee.", "Fishing boats registered in the town are exempt from the fee.", "The harbour master collects the fee."},
		Spoilt:     [3]string{"Boats longer than 4 metres pay the harbour fee.", "Fishing boats registered in the town are not exempt from the fee.", "The coast guard collects the fee."}},
	{ID: "en-drug", Question: "What did the trial of Velorine show?",
		Passage:    "In the trial, 18 percent of those who took Velorine had headaches. Velorine did not lower blood pressure compared with the placebo. The trial was carried out at the Marden clinic and lasted one year. No one left it because of side effects.",
		Statements: [3]string{"Headaches occurred in 18 percent of those who took Velorine.", "Velorine did not lower blood pressure compared with the placebo.", "The trial was carried out at the Marden clinic."},
		Spoilt:     [3]string{"Headaches occurred in 81 percent of those who took Velorine.", "Velorine lowered blood pressure compared with the placebo.", "The trial was carried out at the Talbot clinic."}},
	{ID: "en-backup", Question: "How does the backup of the Quillon server work?",
		Passage:    "The Quillon server keeps 30 daily backups before the oldest is deleted. Backups are encrypted before they leave the machine. They are stored in the data centre at Oulu, with a copy on tape. A backup can be restored only by an administrator.",
		Statements: [3]string{"The server keeps 30 daily backups.", "Backups are encrypted before they leave the machine.", "They are stored in the data centre at Oulu."},
		Spoilt:     [3]string{"The server keeps 13 daily backups.", "Backups are not encrypted before they leave the machine.", "They are stored in the data centre at Bergen."}},
	{ID: "en-opera", Question: "What is told about the first night of the opera The Glass Orchard?",
		Passage:    "The Glass Orchard was first given on 3 March 1897. The composer was not present, being ill with a fever. The part of the gardener was sung by Teresa Lunn, who was twenty. The house was half empty, yet the critics were kind.",
		Statements: [3]string{"The Glass Orchard was first given on 3 March 1897.", "The composer was not present at the first night.", "Teresa Lunn sang the part of the gardener."},
		Spoilt:     [3]string{"The Glass Orchard was first given on 3 March 1879.", "The composer was present at the first night.", "Agnes Pryor sang the part of the gardener."}},
	{ID: "en-soil", Question: "What does the guide say about growing saffron beans?",
		Passage:    "Saffron beans are sown 5 centimetres deep in late April. They tolerate frost once they have four leaves. The best results were had with the variety Mondel on sandy soil. Watering in the evening is better than in the morning.",
		Statements: [3]string{"Saffron beans are sown 5 centimetres deep.", "They tolerate frost once they have four leaves.", "The variety Mondel gave the best results."},
		Spoilt:     [3]string{"Saffron beans are sown 15 centimetres deep.", "They do not tolerate frost once they have four leaves.", "The variety Karst gave the best results."}},
	{ID: "en-train", Question: "What are the rules for bicycles on the Lower Valley train?",
		Passage:    "A bicycle on the Lower Valley train costs 2.50 euros a journey. Bicycles are not allowed on weekday mornings before nine. They are carried in the last coach, behind the conductor's compartment. Folding bicycles travel free at any time.",
		Statements: [3]string{"A bicycle costs 2.50 euros a journey.", "Bicycles are not allowed on weekday mornings before nine.", "Bicycles are carried in the last coach."},
		Spoilt:     [3]string{"A bicycle costs 5.20 euros a journey.", "Bicycles are allowed on weekday mornings before nine.", "Bicycles are carried in the first coach."}},
	{ID: "en-comet", Question: "What is known about the comet Okabe?",
		Passage:    "The comet Okabe returns every 76 years. At its last return it could be seen with the naked eye for a week. It was found by an amateur in Kyoto, who named it after his teacher. Its tail is faint and points north.",
		Statements: [3]string{"The comet Okabe returns every 76 years.", "At its last return it could be seen with the naked eye.", "It was found by an amateur in Kyoto."},
		Spoilt:     [3]string{"The comet Okabe returns every 67 years.", "At its last return it could not be seen with the naked eye.", "It was found by an amateur in Sapporo."}},
}

var chineseItems = [10]Item{
	{ID: "zh-garden", Question: "关于岚亭花园有哪些信息？",
		Passage:    "岚亭花园占地一百二十亩，始建于清末。园中的暖房不对游客开放，只供育苗使用。花园由园艺师方远志设计，他曾留学海外。每年五月举办芍药展。",
		Statements: [3]string{"岚亭花园占地一百二十亩。", "园中的暖房不对游客开放。", "花园由园艺师方远志设计。"},
		Spoilt:     [3]string{"岚亭花园占地二百一十亩。", "园中的暖房对游客开放。", "花园由园艺师秦怀山设计。"}},
	{ID: "zh-phone", Question: "松雀手机有哪些特点？",
		Passage:    "松雀手机的电池容量为4800毫安时。手机支持无线充电，但充电器须另购。屏幕由海宁的厂商生产。机身有黑白两种颜色。",
		Statements: [3]string{"松雀手机的电池容量为4800毫安时。", "松雀手机支持无线充电。", "它的屏幕由海宁的厂商生产。"},
		Spoilt:     [3]string{"松雀手机的电池容量为8400毫安时。", "松雀手机不支持无线充电。", "它的屏幕由宁波的厂商生产。"}},
	{ID: "zh-village", Question: "石泉村的供水工程情况如何？",
		Passage:    "石泉村的供水工程总投资三百六十万元，历时两年完成。工程没有使用地下水，水源来自上游水库。施工由北岭建筑队承担。全村四百户都接上了自来水。",
		Statements: [3]string{"供水工程总投资三百六十万元。", "工程没有使用地下水。", "施工由北岭建筑队承担。"},
		Spoilt:     [3]string{"供水工程总投资六百三十万元。", "工程使用了地下水。", "施工由东海建筑队承担。"}},
	{ID: "zh-exam", Question: "青舟资格考试有哪些规定？",
		Passage:    "青舟资格考试每年举行两次，时长为九十分钟。考生可以携带计算器进入考场。试题由临江大学命制，阅卷在两周内完成。成绩有效期为三年。",
		Statements: [3]string{"考试时长为九十分钟。", "考生可以携带计算器进入考场。", "试题由临江大学命制。"},
		Spoilt:     [3]string{"考试时长为四十分钟。", "考生不可以携带计算器进入考场。", "试题由南湖大学命制。"}},
	{ID: "zh-temple", Question: "关于云门寺的古钟有哪些记载？",
		Passage:    "云门寺的古钟重两千三百斤，挂在东侧钟楼。古钟从未重铸过，钟身铭文清晰可读。捐铸者是商人贺廷之，其名刻在钟口。每逢除夕敲钟一百零八下。",
		Statements: [3]string{"云门寺的古钟重两千三百斤。", "古钟从未重铸过。", "捐铸者是商人贺廷之。"},
		Spoilt:     [3]string{"云门寺的古钟重三千二百斤。", "古钟曾经重铸过。", "捐铸者是商人孟怀章。"}},
	{ID: "zh-train", Question: "河湾线列车有哪些规定？",
		Passage:    "河湾线列车每节车厢有72个座位。宠物不得带入车厢，导盲犬除外。列车的终点站是麦岭，全程三小时。车上不出售酒类。",
		Statements: [3]string{"河湾线列车每节车厢有72个座位。", "宠物不得带入车厢。", "列车的终点站是麦岭。"},
		Spoilt:     [3]string{"河湾线列车每节车厢有27个座位。", "宠物可以带入车厢。", "列车的终点站是柳浦。"}},
	{ID: "zh-study", Question: "关于午睡的研究得出了什么结果？",
		Passage:    "该研究共招募了540名志愿者，为期八周。午睡并未影响参与者夜间的睡眠时长。研究由清和医院的团队完成，结果发表在年会上。参与者平均年龄为三十四岁。",
		Statements: [3]string{"该研究共招募了540名志愿者。", "午睡并未影响参与者夜间的睡眠时长。", "研究由清和医院的团队完成。"},
		Spoilt:     [3]string{"该研究共招募了450名志愿者。", "午睡影响了参与者夜间的睡眠时长。", "研究由仁济堂医院的团队完成。"}},
	{ID: "zh-cheese", Question: "高沙奶酪是怎样制作的？",
		Passage:    "高沙奶酪需要熟成十四个月。制作时不添加任何色素，其黄色来自牧草。奶源来自白水牧场，离作坊仅两公里。成品呈圆轮形，重约六公斤。",
		Statements: [3]string{"高沙奶酪需要熟成十四个月。", "制作时不添加任何色素。", "奶源来自白水牧场。"},
		Spoilt:     [3]string{"高沙奶酪需要熟成四个月。", "制作时会添加色素。", "奶源来自青坡牧场。"}},
	{ID: "zh-bridge", Question: "关于长汀桥有哪些信息？",
		Passage:    "长汀桥全长318米，于1974年建成。大型货车可以通过该桥，但限速三十公里。桥梁的设计者是工程师罗以诚。桥上安装了四十盏路灯。",
		Statements: [3]string{"长汀桥全长318米。", "大型货车可以通过该桥。", "桥梁的设计者是工程师罗以诚。"},
		Spoilt:     [3]string{"长汀桥全长813米。", "大型货车不可以通过该桥。", "桥梁的设计者是工程师邵景行。"}},
	{ID: "zh-software", Question: "鹿鸣软件的授权有什么规定？",
		Passage:    "鹿鸣软件的个人授权可以安装在3台设备上。授权不能转让给他人。发票由北塔科技公司开具，七日内寄出。试用版的功能与正式版相同。",
		Statements: [3]string{"个人授权可以安装在3台设备上。", "授权不能转让给他人。", "发票由北塔科技公司开具。"},
		Spoilt:     [3]string{"个人授权可以安装在8台设备上。", "授权可以转让给他人。", "发票由南岭科技公司开具。"}},
}
