// Requests and answers hold times, so whoever imports a contract sees their type.
@_exported public import Time
