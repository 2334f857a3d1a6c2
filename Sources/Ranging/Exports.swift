// A measurement names a device and has a time, so every file that imports Ranging sees their types.
@_exported public import Localization
@_exported public import Records
@_exported public import Time
