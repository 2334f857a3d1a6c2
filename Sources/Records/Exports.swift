// Stamps and limits contain times, so every file that imports Records sees their type.
@_exported public import Time
