// Package parser turns the text of SQL statements into a typed syntax tree and back.
//
// Parse reads any number of statements and returns one Stmt each; Format prints a Stmt in its
// canonical spelling, which parses to the same tree again. Every node knows the bytes of the
// source it was read from (see Span), and every error is an *Error that points at such bytes.
//
// The package knows the grammar alone. Whether a table, a column, a function or a setting exists,
// and which types fit, is the business of the layers above; they report such errors with ErrorAt,
// so that all errors look the same to a user.
package parser
