// Contacts have the fields of a profile, and tracks have fixes with times, so every file that
// imports OpenFormats sees these types.
@_exported public import Contract
@_exported public import Location
