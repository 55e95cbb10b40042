package attack

// Clopper is under test by itself.
var Clopper = clopper
