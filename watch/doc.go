// Package watch evaluates production traffic as it comes: it samples the exchanges in the
// traces that the receiver stored, has them judged in rounds, each of which is a run, and
// follows every metric with bounds that hold at any time and a detector that alarms when the
// metric gets worse.
//
// What a watch knows is its [State], one item of the store, written after each step: a process
// that is killed goes on where it was, judges nothing twice, and counts nothing twice.
package watch
