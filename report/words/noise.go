package words

// DrawHeads are the headings of the table of draws.
type DrawHeads struct{ Metric, Changed, SD, Floor, Furthest string }
