/// The setting `theme`: light or dark windows.
public enum ThemeSetting: String, CaseIterable, Sendable {
    case system, light, dark

    /// The name of the setting.
    public static let name = "theme"
}

/// The setting `language`: the language of windows, notices and the command line.
public enum LanguageSetting: String, CaseIterable, Sendable {
    case system
    case english = "en"
    case korean = "ko"

    /// The name of the setting.
    public static let name = "language"
}

/// The values of a setting that names a file, or none.
public enum FileSetting {
    /// The value that stands for no file.
    public static let none = "none"

    /// Returns the path of the file that a value names; nil if it names none.
    public static func path(_ value: String) -> String? { value == none ? nil : value }
}

/// The setting `map.file`: the picture of the map, an MBTiles file.
public enum MapFileSetting {
    /// The name of the setting.
    public static let name = "map.file"
}

/// The setting `calendar.file`: the calendar of all appointments to come, which is kept current.
public enum CalendarFileSetting {
    /// The name of the setting.
    public static let name = "calendar.file"
    /// The ending of such a file, without a dot.
    public static let ending = "ics"
}

/// The setting `data.folder`: the folder with everything that is stored. It is only shown.
public enum DataFolderSetting {
    /// The name of the setting.
    public static let name = "data.folder"
}
