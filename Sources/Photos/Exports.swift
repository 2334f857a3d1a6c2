@_exported public import PhotoFormat
