package catalog

import "slices"

// checkReads refuses a persistent view over temporary objects.
func (c *Catalog) checkReads(o Object) error {
	v, ok := o.(*View)
	if !ok || v.Temporary {
		return nil
	}
	for _, name := range v.Reads {
		if read, ok := c.temporary[relations][fold(name)]; ok {
			return &ScopeError{View: v, Reads: read}
		}
	}
	return nil
}

// readers names the views that read the object and would find nothing in its place when it is gone.
func (c *Catalog) readers(o Object) []string {
	if spaceOf(o.Kind()) != relations || c.hides(o) {
		return nil
	}
	var names []string
	for _, other := range c.visible(relations) {
		v, ok := other.(*View)
		if ok && v != o && slices.ContainsFunc(v.Reads, func(r string) bool { return fold(r) == fold(o.ObjectName()) }) {
			names = append(names, v.Name)
		}
	}
	return names
}

// hides tells whether a persistent object would appear if the temporary one were dropped.
func (c *Catalog) hides(o Object) bool {
	_, hidden := c.permanent[relations][fold(o.ObjectName())]
	return o.IsTemporary() && hidden
}
