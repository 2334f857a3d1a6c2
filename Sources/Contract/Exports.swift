// Every layer above says something to a person, so every file that imports Contract can mark its
// texts; and requests and answers contain times.
@_exported public import Localization
@_exported public import Time
