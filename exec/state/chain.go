package state

// rollCheckpoints is the number of checkpoints in which every row is written again, changed or not.
const rollCheckpoints = 20

// chain knows which chunks are still needed. Each checkpoint that writes anything also writes the next slice of the rows, as if
// they had changed; once slices have gone round all rows, the chunks from before the round are dead. Slices go down through the
// groups, since a restored table has numbered its groups from the newest chunk to the oldest.
type chain struct {
	cursor int     // the groups below it are next
	slices []slice // oldest first; every row is in a chunk of the first one's checkpoint or of a later one
	owed   int     // rows of slices whose checkpoint failed: the next one writes them, for they are dirty again
}

// slice is a number of rows that are all in chunks of checkpoint or of later ones.
type slice struct {
	checkpoint uint64
	rows       int
}

// next is the slice of the next checkpoint, groups [from, to) out of n. It is larger where many rows are dirty, so that a restore
// reads no more than about three times the rows.
func (c *chain) next(n, dirty int) (from, to int) {
	if c.cursor <= 0 || c.cursor > n {
		c.cursor = n
	}
	rows := max((n+rollCheckpoints-1)/rollCheckpoints, dirty/2)
	from, to = max(0, c.cursor-rows), c.cursor
	c.cursor = from
	return from, to
}

// add notes that a checkpoint writes a slice of rows out of n, and forgets the slices that are no longer needed. A row added
// since a slice was written is in a later chunk, so the numbers of rows suffice.
func (c *chain) add(checkpoint uint64, rows, n int) {
	c.slices = append(c.slices, slice{checkpoint, rows + c.owed})
	c.owed = 0
	first := len(c.slices) - 1
	for covered := c.slices[first].rows; covered < n && first > 0; covered += c.slices[first].rows {
		first--
	}
	c.slices = c.slices[first:]
}

// fail takes the slice of a checkpoint back.
func (c *chain) fail(checkpoint uint64) {
	for i, s := range c.slices {
		if s.checkpoint == checkpoint {
			c.owed += s.rows
			c.slices = append(c.slices[:i:i], c.slices[i+1:]...)
			return
		}
	}
}

// idle is liveFrom at a checkpoint that writes nothing. If nothing has been written before, no older chunk is needed.
func (c *chain) idle(checkpoint uint64) uint64 {
	if len(c.slices) == 0 {
		c.add(checkpoint, 0, 0)
	}
	return c.liveFrom()
}

// liveFrom is the oldest checkpoint whose chunks are needed; 0 if nothing has been written.
func (c *chain) liveFrom() uint64 {
	if len(c.slices) == 0 {
		return 0
	}
	return c.slices[0].checkpoint
}
