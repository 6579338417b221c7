package connector

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// Metadata is something that a connector knows of each row beside the table's columns.
type Metadata struct {
	Key  string
	Type arrow.DataType
	Doc  string
}

// FindMetadata finds what the connector knows under a key.
func (c *Connector) FindMetadata(key string) (Metadata, error) {
	if len(c.Metadata) == 0 {
		return Metadata{}, fmt.Errorf("connector '%s' has no metadata", c.Name)
	}
	known := make([]string, len(c.Metadata))
	for i, m := range c.Metadata {
		if m.Key == key {
			return m, nil
		}
		known[i] = m.Key
	}
	return Metadata{}, fmt.Errorf("connector '%s' has no metadata '%s'; %s", c.Name, key, Suggestion(key, known))
}
