package words

import (
	"fmt"

	"github.com/assay-eval/assay"
)

func (e English) Canary(c assay.Canary) string {
	switch {
	case c.Why != "":
		return "canaries left out: " + c.Why
	case c.First:
		return fmt.Sprintf("canaries: %d answers frozen for later runs", c.Items)
	case c.Differs:
		return e.canaryChanged(c)
	case c.P == nil:
		return fmt.Sprintf("canaries: %d with a ruling are too few to tell whether the judge is that of %s", c.Items, frozen(c))
	}
	return fmt.Sprintf("canaries: no change seen since %s, %d of %d ruled otherwise (%s)", frozen(c), c.Changed, c.Items, chance(c))
}

func (English) canaryChanged(c assay.Canary) string {
	return fmt.Sprintf("the rulings of the judge changed: %d of %d canaries are ruled otherwise than on %s (%d by its own variation), "+
		"and %s of the words are the same, usually %s (chance alone: %s)",
		c.Changed, c.Items, frozen(c), c.Noise, sameWords(c.Likeness), sameWords(c.Usual), chance(c))
}

func (e English) CanaryWarning(c assay.Canary) string {
	switch {
	case c.Why != "":
		return fmt.Sprintf("%s %s: the canaries were left out: %s: whether the judge has changed is not known", c.Provider, c.Model, c.Why)
	case c.Differs:
		return fmt.Sprintf("%s %s: %s: certificates and calibrations of that judge may no longer hold, "+
			"and earlier runs may be those of another judge: assay judge certify measures it again, "+
			"assay judge canary --freeze takes it as it is now", c.Provider, c.Model, e.canaryChanged(c))
	}
	return ""
}

func (e English) JudgeChanged(c assay.Canary) string {
	if c.Differs {
		return c.Provider + " " + c.Model + ": " + e.canaryChanged(c)
	}
	return fmt.Sprintf("%s %s: the rulings of the judge changed: its answers were frozen anew on %s, "+
		"because they were no longer like those before", c.Provider, c.Model, frozen(c))
}
