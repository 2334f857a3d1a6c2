// A plugin imports PluginKit alone, so the types its interface speaks come along with it.
@_exported public import Location
@_exported public import Logging
@_exported public import Records
