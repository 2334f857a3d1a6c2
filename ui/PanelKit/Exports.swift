// Every panel has texts, so every file that imports PanelKit can mark them.
@_exported public import Localization
