package server

// Paging holds the parameters of every list.
type Paging struct {
	Limit  int `query:"limit" minimum:"1" maximum:"500" default:"50" doc:"how many to give at most"`
	Offset int `query:"offset" minimum:"0" maximum:"1000000000" default:"0" doc:"how many to leave out first"`
}

// page is a part of a list, with the length of the whole.
type page[T any] struct {
	Items  []T `json:"items" nullable:"false"`
	Total  int `json:"total" doc:"how many there are"`
	Limit  int `json:"limit"`
	Offset int `json:"offset"`
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

// one is a reply with one item.
type one[T any] struct {
	Body T
}

// deletion describes what was deleted.
type deletion struct {
	Body struct {
		Deleted string `json:"deleted" doc:"its id"`
	}
}

func deleted(id string) *deletion {
	d := &deletion{}
	d.Body.Deleted = id
	return d
}
