// A fix has a time, so whoever imports locations sees its type.
@_exported public import Time
