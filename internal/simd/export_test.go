package simd

// Levels gives every level of this processor, from Generic up.
func Levels() []Level {
	var all []Level
	for l := Generic; l <= Best(); l++ {
		all = append(all, l)
	}
	return all
}
