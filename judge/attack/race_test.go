//go:build race

package attack_test

// stride is how many documents of a corpus there are for each that is looked
// at. The race detector makes regular expressions some thirty times slower, and
// finds nothing in them: a part will do.
const stride = 20
