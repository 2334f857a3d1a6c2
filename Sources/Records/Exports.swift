// Stamps and limits are made of times, so whoever imports records sees their type.
@_exported public import Time
