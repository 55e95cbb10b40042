"""Writes porter.txt: words and their stems by NLTK's PorterStemmer in the mode
MARTIN_EXTENSIONS, which is what Lucene's does. The words are syllables with
each suffix that a rule looks at, so they are no language's.

Made with nltk 3.10.4: python porter.py > porter.txt
"""

from nltk.stem.porter import PorterStemmer

ROOTS = "a tr ee by oat orr ivy free troubl privat crysis hopp fil fizz relat vowyl oaxy gyr sull contr feed bl syzyg yy abst iz u st ss".split()
SUFFIXES = [""] + """s es ies sses ss ed eed ing ating bled izing y ly ational tional enci anci izer bli alli entli eli ousli
ization ation ator alism iveness fulness ousness aliti iviti biliti logi icate ative alize iciti ical ful ness al ance
ence er ic able ible ant ement ment ent ion sion tion ou ism ate iti ous ive ize e le ll lle lling tted""".split()

stemmer = PorterStemmer(PorterStemmer.MARTIN_EXTENSIONS)
words = {a + s for a in ROOTS for s in SUFFIXES}
words |= {a + b + s for a in ROOTS[:12] for b in ("at", "in", "l", "ey") for s in SUFFIXES}
for word in sorted(words - {""}):
    print(word, stemmer.stem(word, to_lowercase=False))
