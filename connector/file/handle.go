package file

import (
	"encoding/json"
	"fmt"
)

// part is what one subtask wrote up to a checkpoint.
type part struct {
	Pending    string   `json:"pending,omitempty"` // name of the hidden file; "" if there is none
	Name       string   `json:"name,omitempty"`    // in a directory: of the visible file
	Checkpoint uint64   `json:"checkpoint"`
	Offset     int64    `json:"offset,omitempty"` // in a single file
	Size       int64    `json:"size,omitempty"`
	First      bool     `json:"first,omitempty"`   // of a single file: it replaces what is there
	Replace    []string `json:"replace,omitempty"` // in a directory: files to be removed once the part is there
}

// handle is what a checkpoint keeps of a writer.
type handle struct {
	Job        string `json:"job"`
	Run        int    `json:"run,omitempty"` // in a directory
	Checkpoint uint64 `json:"checkpoint"`
	Length     int64  `json:"length,omitempty"` // of a single file once the part is there
	Part       *part  `json:"part,omitempty"`   // nil: nothing was written
}

func (h handle) bytes() ([]byte, error) { return json.Marshal(h) }

func parseHandle(data []byte) (handle, error) {
	var h handle
	if err := json.Unmarshal(data, &h); err != nil {
		return h, fmt.Errorf("the sink's handle in the checkpoint is damaged: %w", err)
	}
	return h, nil
}
