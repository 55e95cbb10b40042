//go:build !race

package attack_test

// stride is 1: every document of a corpus is looked at.
const stride = 1
