// A fix has a time, so every file that imports Location sees its type.
@_exported public import Time
