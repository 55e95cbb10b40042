package store

import (
	"fmt"
	"slices"
	"strings"
)

// A Driver is a kind of database in which a store can be kept.
type Driver struct {
	// Title names the database system.
	Title string
	// Form is how a reference to a database is written, for help texts.
	Form string
	// Doc says in one line when to use it.
	Doc string
	// Schemes begin the references that the driver claims. The driver without schemes
	// claims paths of files.
	Schemes []string
	// open prepares access to a database. create makes the folder of a file.
	open func(ref string, create bool) (database, error)
	// remote reports whether a reference points to another machine.
	remote func(ref string) bool
}

// Drivers lists the kinds of databases, the default first.
var Drivers = []Driver{sqliteDriver, postgresDriver}

// Forms says how references are written: "a file, or postgres://…".
func Forms() string {
	var forms []string
	for _, d := range Drivers {
		forms = append(forms, d.Form)
	}
	return strings.Join(forms, ", or ")
}

// driverOf returns the driver that claims a reference.
func driverOf(ref string) (Driver, error) {
	for _, d := range Drivers {
		if slices.ContainsFunc(d.Schemes, func(scheme string) bool { return strings.HasPrefix(ref, scheme) }) {
			return d, nil
		}
	}
	if scheme, _, ok := strings.Cut(ref, "://"); ok {
		// The rest may contain a password.
		return Driver{}, fmt.Errorf("store %s://…: unknown kind of database: expected %s", scheme, Forms())
	}
	return Drivers[slices.IndexFunc(Drivers, func(d Driver) bool { return d.Schemes == nil })], nil
}

// at returns the database of a reference; create makes the folder of a file.
func at(ref string, create bool) (database, error) {
	d, err := driverOf(ref)
	if err != nil {
		return nil, err
	}
	return d.open(ref, create)
}

// IsFile reports whether a reference to a store is the path of a file, rather than the
// address of a server.
func IsFile(ref string) bool {
	d, err := driverOf(ref)
	return err == nil && d.Schemes == nil
}

// IsRemote reports whether a reference to a store points to another machine.
func IsRemote(ref string) bool {
	d, err := driverOf(ref)
	return err == nil && d.remote != nil && d.remote(ref)
}
