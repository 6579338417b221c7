//go:build !race

package expr

// raced tells that the race detector is on, under which pools lose what they hold now and then.
const raced = false
