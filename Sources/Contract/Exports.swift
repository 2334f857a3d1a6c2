// Requests and answers contain times, so every file that imports Contract sees their type.
@_exported public import Time
