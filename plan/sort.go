package plan

// Sort orders and cuts the final result of a query that ends. It is no operator: the reader of the result does it.
type Sort struct {
	Keys   []SortKey
	Offset int64 // rows left out at the beginning
	Limit  int64 // rows kept at most behind them; -1 for all
	// Columns is how many columns of the result are shown: those behind are there to sort by.
	Columns int
}

// SortKey is one key of a Sort.
type SortKey struct {
	Column     int
	Descending bool
	NullsFirst bool
}
