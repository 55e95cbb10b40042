package stats

// A Confusion counts rulings against labels.
type Confusion struct {
	// TP and FN count the items labelled true that were ruled true and false,
	// TN and FP those labelled false that were ruled false and true.
	TP int `json:"tp"`
	FP int `json:"fp"`
	TN int `json:"tn"`
	FN int `json:"fn"`
}

// Confuse counts scores of at least the threshold as ruled true. The slices must
// have the same length.
func Confuse(scores []float64, labels []bool, threshold float64) Confusion {
	var c Confusion
	for i, s := range scores {
		c.Add(s >= threshold, labels[i])
	}
	return c
}

// Add counts one item.
func (c *Confusion) Add(ruled, label bool) {
	switch {
	case ruled && label:
		c.TP++
	case ruled:
		c.FP++
	case label:
		c.FN++
	default:
		c.TN++
	}
}

// Positives counts the items labelled true.
func (c Confusion) Positives() int { return c.TP + c.FN }

// Negatives counts the items labelled false.
func (c Confusion) Negatives() int { return c.TN + c.FP }

// N counts all items.
func (c Confusion) N() int { return c.Positives() + c.Negatives() }

// Accuracy is the share of items ruled as labelled; ok is false without items.
func (c Confusion) Accuracy() (float64, bool) { return share(c.TP+c.TN, c.N()) }

// Sensitivity is the share of items labelled true that were ruled true.
func (c Confusion) Sensitivity() (float64, bool) { return share(c.TP, c.Positives()) }

// Specificity is the share of items labelled false that were ruled false.
func (c Confusion) Specificity() (float64, bool) { return share(c.TN, c.Negatives()) }

// BalancedAccuracy is the mean of sensitivity and specificity. Chance is 0.5,
// however rare a label is. ok is false unless both labels occur.
func (c Confusion) BalancedAccuracy() (float64, bool) {
	a, okA := c.Sensitivity()
	b, okB := c.Specificity()
	return (a + b) / 2, okA && okB
}

func share(part, whole int) (float64, bool) {
	if whole == 0 {
		return 0, false
	}
	return float64(part) / float64(whole), true
}

// Kappa is Cohen's kappa: (po − pe)/(1 − pe), where po is the share ruled as
// labelled, and pe the share expected if rulings and labels were independent with
// the same marginals. Range [−1,1]. ok is false without items, or if all rulings
// and labels are equal; report the agreement then. If one label is rare, kappa
// can be low although nearly all items agree; see [Confusion.AC1], and report the
// prevalence. Source: Cohen, Educational and Psychological Measurement 20, 1960.
func (c Confusion) Kappa() (kappa float64, ok bool) {
	n := float64(c.N())
	ruled, label := float64(c.TP+c.FP), float64(c.Positives())
	by := ruled*label + (n-ruled)*(n-label)
	if n == 0 || by == n*n {
		return 0, false
	}
	return (float64(c.TP+c.TN)*n - by) / (n*n - by), true
}

// AC1 is Gwet's chance-corrected agreement, which stays meaningful if one label
// is rare: (po − pe)/(1 − pe) with pe = 2π(1−π), where π is the mean of the
// shares ruled and labelled true. ok is false if all rulings and labels are
// equal. Source: Gwet, British Journal of Mathematical and Statistical Psychology
// 61, 2008.
func (c Confusion) AC1() (ac1 float64, ok bool) {
	both := 2 * float64(c.N())
	yes := float64(c.TP + c.FP + c.Positives())
	if yes == 0 || yes == both {
		return 0, false
	}
	po, _ := c.Accuracy()
	pe := 2 * yes / both * (1 - yes/both)
	return (po - pe) / (1 - pe), true
}
