import Contract
import FeaturesAPI
import NodeAPI

/// The words of the preferences.
enum SettingText {
    /// Returns the title of a setting; what it does, if it has no short one.
    static func title(of setting: Setting) -> String {
        if let title = titles[setting.name.string] { return title }
        let help = setting.help.string
        return help.hasSuffix(".") ? String(help.dropLast()) : help
    }

    private static let titles = [
        ThemeSetting.name: localized("Theme"), LanguageSetting.name: localized("Language"),
        "notifications.level": localized("Show in notifications"),
        "notifications.quiet": localized("Quiet hours"),
        locationSource: localized("My location"),
        MapFileSetting.name: localized("Map file"),
        CalendarFileSetting.name: localized("Calendar file"),
        "storage.author": localized("From one person"),
        "storage.total": localized("In total"),
        "storage.free": localized("Kept free on the disk"),
        "storage.photos": localized("Photos of others"),
    ]

    /// Returns what a setting does and which values can be typed, as the line under its title.
    static func detail(of setting: Setting) -> String {
        switch setting.name.string {
        case "notifications.level":
            localized("“Something new” shows neither names nor texts.")
        case "notifications.quiet":
            localized(
                "Nothing is shown during this time; a summary follows. Type a time such as "
                    + "22:00-07:00, or off.")
        case let name where name.hasPrefix("storage."):
            localized("In MiB: \(setting.allowed.sentence)")
        case let name where titles[name] != nil: ""
        default:
            setting.choices.isEmpty ? localized("Allowed: \(setting.allowed.sentence).") : ""
        }
    }

    /// Returns the words for a choice of a setting; the choice itself if none are known.
    static func label(of choice: String, in setting: String) -> String {
        switch (setting, choice) {
        case (ThemeSetting.name, ThemeSetting.system.rawValue),
            (LanguageSetting.name, LanguageSetting.system.rawValue):
            localized("Same as the desktop")
        case (ThemeSetting.name, ThemeSetting.light.rawValue): localized("Light")
        case (ThemeSetting.name, ThemeSetting.dark.rawValue): localized("Dark")
        case (LanguageSetting.name, LanguageSetting.english.rawValue): "English"
        case (LanguageSetting.name, LanguageSetting.korean.rawValue): "한국어"
        case ("notifications.level", "everything"): localized("Everything")
        case ("notifications.level", "names"): localized("Names only")
        case ("notifications.level", "new"): localized("“Something new”")
        case (locationSource, LocationSourceName.hand.rawValue): localized("Set by hand")
        case (locationSource, LocationSourceName.gpsd.rawValue): localized("GPS receiver (gpsd)")
        default: choice
        }
    }

    /// Returns the line under the title of a setting that names no file.
    static func noFile(of setting: String) -> String {
        setting == CalendarFileSetting.name
            ? localized("Kept up to date for your calendar app. No file is chosen.")
            : localized("An MBTiles file. None is chosen.")
    }

    /// Returns the ending of the files that a setting may name.
    static func fileEnding(of setting: String) -> String {
        setting == MapFileSetting.name ? "mbtiles" : "*"
    }

    /// The setting for the source of this device's location.
    static let locationSource = "location.source"

    /// Returns where this device's location comes from now.
    static func source(of location: MyLocation?, now: Timestamp) -> String {
        guard let location else { return "" }
        let age = location.atMs.map { AgeText.ago(since: $0, now: now) }
        switch location.source {
        case .hand:
            return age.map { localized("Set \($0). Your mates see it.") }
                ?? localized("Not set. Click on the map, then choose “I am here”.")
        case .gpsd:
            if let reason = location.reason { return reason.string }
            return age.map { localized("Received \($0). Your mates do not see it.") }
                ?? localized("The receiver does not know yet where you are.")
        case .gpx:
            let name = location.file.map { "“\(fileName($0.string))”" } ?? localized("A track")
            return location.reason?.string
                ?? localized(
                    "\(name) is playing as your location. Choose another source to stop it.")
        }
    }

    /// Returns the names of blocked people. Two people with one name, or with none, also show the
    /// digits of their keys.
    static func names(of blocked: [BlockList.Entry]) -> [String] {
        let names = blocked.map { $0.name?.string ?? localized("Someone without a name") }
        return zip(blocked, names).map { entry, name in
            names.count { $0 == name } == 1 ? name : "\(name) · \(entry.suffix)"
        }
    }

    /// Returns why and when a person was blocked.
    static func block(_ entry: BlockList.Entry, now: Timestamp) -> String {
        let reason =
            switch entry.reason {
            case .violent: localized("Violent behaviour")
            case .unpleasant: localized("Unpleasant remarks")
            case .other, nil: nil as String?
            }
        let age = entry.atMs.map { localized("Blocked \(AgeText.ago(since: $0, now: now))") }
        return [age ?? localized("Blocked"), reason, entry.text?.string].compactMap { $0 }
            .joined(separator: " · ")
    }

    /// Returns a number of bytes in words, such as "1.2 MB".
    static func size(bytes: Int) -> String {
        switch bytes {
        case ..<1000: localized(Sentence(count: bytes, one: "1 byte", other: "\(bytes) bytes"))
        case ..<1_000_000: "\((bytes + 500) / 1000) kB"
        default: "\(bytes / 1_000_000).\(bytes % 1_000_000 / 100_000) MB"
        }
    }

    /// Returns the last part of a path.
    static func fileName(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
