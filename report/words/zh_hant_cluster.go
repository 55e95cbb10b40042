package words

import (
	"fmt"

	"github.com/assay-eval/assay"
)

func (TraditionalChinese) Clusters(c assay.Clusters) string {
	if c.By == "none" {
		return fmt.Sprintf("區間與檢定把全部 %d 個案例視為互相獨立（--group-by none）；"+
			"依資料集的群組與共同的預期文件，它們只有 %d 組。",
			c.Cases, c.Clusters)
	}
	why := "預期文件有重複"
	switch {
	case c.By == "label":
		why = "屬於同一群組"
	case c.Same && c.Labelled:
		why = "屬於同一群組或預期文件完全相同"
	case c.Same:
		why = "預期文件完全相同"
	case c.Labelled:
		why = "屬於同一群組或預期文件有重複"
	}
	return fmt.Sprintf("%d 個案例在區間與檢定中合為 %d 組："+
		"%s的案例並不互相獨立（--group-by none 則全部視為獨立）。",
		c.Cases, c.Clusters, why)
}
