package session

import (
	"encoding/json"
	"errors"
	"fmt"

	"streamsql/job"
	"streamsql/storage"
)

// record is what the engine keeps of a job: enough to show it, and to start it again.
type record struct {
	Name string `json:"name"`
	// SQL is a script that defines everything the job needs and ends with its INSERT.
	SQL string `json:"sql"`
	// Dir is the directory that relative paths in it start from.
	Dir         string     `json:"dir"`
	Parallelism int        `json:"parallelism"`
	Status      job.Status `json:"status"`
}

// interrupted is the state of a job whose process has died.
const interrupted job.State = "INTERRUPTED"

// saveRecord keeps a record.
func saveRecord(store *storage.Store, r record) error {
	data, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("job %s: %w", r.Name, err)
	}
	return store.Put(storage.JobKey(r.Name), data)
}

// loadRecord returns the record of a job, or storage.ErrNotFound.
func loadRecord(store *storage.Store, name string) (record, error) {
	data, err := store.Get(storage.JobKey(name))
	if err != nil {
		return record{}, err
	}
	return decodeRecord(name, data)
}

// loadRecords returns the records of all jobs, by name.
func loadRecords(store *storage.Store) ([]record, error) {
	var records []record
	err := store.Scan(storage.JobPrefix, func(k storage.Key, data []byte) error {
		r, err := decodeRecord(k.Name(), data)
		records = append(records, r)
		return err
	})
	return records, err
}

func decodeRecord(name string, data []byte) (record, error) {
	var r record
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("the record of job %s is damaged: %w", name, err)
	}
	if r.Status.Ended.IsZero() {
		r.Status.State = interrupted
	}
	return r, nil
}

// noJobError says that there is no job of a name.
type noJobError struct {
	name  string
	known []string
}

func (e *noJobError) Error() string { return fmt.Sprintf("unknown job '%s'", e.name) }

func isNotFound(err error) bool { return errors.Is(err, storage.ErrNotFound) }
