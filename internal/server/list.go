package server

// Paging holds the parameters of every list.
type Paging struct {
	Limit  int `query:"limit" minimum:"1" maximum:"500" default:"50" doc:"how many to give at most"`
	Offset int `query:"offset" minimum:"0" maximum:"1000000000" default:"0" doc:"how many to leave out first"`
}

func (p Paging) paging() Paging { return p }

// page is a part of a list, with the length of the whole.
type page[T any] struct {
	Items  []T `json:"items" nullable:"false" doc:"the part of the list that was asked for"`
	Total  int `json:"total" doc:"length of the whole list" example:"120"`
	Limit  int `json:"limit" doc:"how many items were asked for at most" example:"50"`
	Offset int `json:"offset" doc:"number of items left out first" example:"0"`
}

// list is a reply with a page.
type list[T any] struct {
	Body page[T]
}

// listed returns the reply with items that the store selected by the Paging.
func listed[T any](items []T, total int, p Paging) *list[T] {
	if items == nil {
		items = []T{}
	}
	return &list[T]{page[T]{items, total, p.Limit, p.Offset}}
}

// cut returns the page of a list that is in memory as a whole.
func cut[T any](all []T, p Paging) *list[T] {
	from := min(p.Offset, len(all))
	return listed(all[from:min(from+p.Limit, len(all))], len(all), p)
}

// deletion describes what was deleted.
type deletion struct {
	Body struct {
		Deleted string `json:"deleted" doc:"id or name of what was deleted" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	}
}

func deleted(id string) *deletion {
	d := &deletion{}
	d.Body.Deleted = id
	return d
}
