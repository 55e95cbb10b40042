// Package corpus puts documents into a system: which are there, which are
// missing, each one sent once, and the wait until the system has indexed them.
package corpus
