package offline

import "math"

// A model is a logistic regression over named features.
type model struct {
	name    string
	bias    float64
	weights []weight
}

// A weight multiplies one feature.
type weight struct {
	feature string
	value   float64
}

// A feature is a number that an estimate is computed from, mostly in 0…1.
type feature struct {
	name  string
	value float64
}

// probability is the estimate for the features. Features that the model lacks are
// ignored.
func (m *model) probability(x []feature) float64 {
	z := m.bias
	for _, w := range m.weights {
		for _, f := range x {
			if f.name == w.feature {
				z += w.value * f.value
				break
			}
		}
	}
	return logistic(z)
}

// logistic maps a number to 0…1, and NaN to 0.
func logistic(z float64) float64 {
	if math.IsNaN(z) {
		return 0
	}
	return 1 / (1 + math.Exp(-z))
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
