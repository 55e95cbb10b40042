// Package filelock locks files between processes. A lock belongs to the open file, so that
// two of one process exclude each other too, and ends with it or with the process.
package filelock
