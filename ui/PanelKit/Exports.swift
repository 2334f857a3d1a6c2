// Every panel has texts, so every file that imports PanelKit can mark them.
@_exported public import Localization
// Panels name the photos that they want shown.
@_exported public import PhotoFormat
@_exported public import Photos
