//go:build results

package offline_test

import (
	"github.com/assay-eval/assay/judge/offline"
	"github.com/assay-eval/assay/metric/judged"
)

func init() { offline.JudgedDefs = judged.Defs }
