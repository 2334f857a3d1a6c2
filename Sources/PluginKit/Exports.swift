// A plugin imports PluginKit alone, so PluginKit also exports the types in its interface.
@_exported public import Contract
@_exported public import Location
@_exported public import Logging
@_exported public import OpenFormats
@_exported public import PhotoFormat
@_exported public import Ranging
@_exported public import Records
@_exported public import RoutePicture
