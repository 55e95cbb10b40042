package words

import "fmt"

func (English) SliceNames() SliceNames {
	return SliceNames{
		Title: "Slices", Slice: "Slice", Inside: "Mean in the slice", Others: "Mean of the others", Difference: "Difference",
		Change: "Change in the slice", OtherChange: "Change of the others", QValue: "p, corrected", Also: "also", Open: "Cases",
		Estimates: "All metrics are estimates by formula. Slices of these are not tested: a judge may see the slices otherwise.",
		Later:     "Slices are looked through when a run is finished.",
	}
}

func (English) SliceOf(kind, value string, from, to int) string {
	switch kind {
	case "tag":
		return "tag " + value
	case "group":
		return "group " + value
	case "documents":
		switch value {
		case "0":
			return "no relevant document"
		case "1":
			return "one relevant document"
		}
		return value + " relevant documents"
	case "script":
		return "questions in " + map[string]string{
			"latin": "Latin letters", "han": "Chinese characters", "kana": "kana", "hangul": "hangul", "cyrillic": "Cyrillic letters",
			"greek": "Greek letters", "arabic": "Arabic letters", "hebrew": "Hebrew letters", "devanagari": "Devanagari", "thai": "Thai letters",
			"other": "another script",
		}[value]
	case "digits":
		return "questions with digits"
	case "length":
		switch {
		case from == 0:
			return fmt.Sprintf("questions shorter than %d characters", to)
		case to == 0:
			return fmt.Sprintf("questions of %d characters or more", from)
		}
		return fmt.Sprintf("questions of %d to %d characters", from, to-1)
	case "begins":
		return "questions that begin with “" + value + "”"
	}
	return "questions with “" + value + "”"
}

func (English) SlicesFound(metric string, found, looked int, change bool) string {
	does, do := metric+" departs", "does "+metric+" depart"
	if change {
		does, do = metric+" changes otherwise", "does "+metric+" change otherwise"
	}
	link := " from the other cases"
	if change {
		link = " than on the other cases"
	}
	switch {
	case looked == 0:
		return "No slice has enough cases to be looked at."
	case looked == 1 && found == 0:
		return "One slice was looked through; it does not depart."
	case looked == 1:
		return "One slice was looked through: on it " + does + link + "."
	case found == 0:
		return fmt.Sprintf("%d slices were looked through; on none of them %s%s.", looked, do, link)
	}
	return fmt.Sprintf("%d slices were looked through: on %d of them %s%s.", looked, found, does, link)
}

func (English) SlicesNote(level, rate string, least int) string {
	return fmt.Sprintf("Looked through, not decided on: of slices that are found, up to %s are expected to be chance. "+
		"p is corrected for all slices (Benjamini and Hochberg), and the %s intervals hold for those that are found together. A slice "+
		"needs %d cases inside and outside; that one is not found does not show that it is like the others.", rate, level, least)
}

func (e English) SliceMissing(cases, of int, change bool) string {
	switch {
	case cases == 0:
		return ""
	case change:
		return fmt.Sprintf("%d of %s have no value in one of the runs, and are in no mean.", cases, e.Cases(of))
	}
	return fmt.Sprintf("%d of %s have no value, and are in no mean.", cases, e.Cases(of))
}

func (e English) SliceCases(cases, valued int) string {
	if cases == valued {
		return e.Cases(cases)
	}
	return fmt.Sprintf("%s, %d with a value", e.Cases(cases), valued)
}
