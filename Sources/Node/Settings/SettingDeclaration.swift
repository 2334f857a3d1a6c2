internal import ControlAPI
internal import FeaturesAPI
internal import NodeAPI
internal import Notifications
internal import PluginHost
internal import PluginKit
internal import Replica

/// A setting: its name, its values, and where its value is.
struct SettingDeclaration: Sendable {
    let name: String
    /// The effect of the setting, as a sentence.
    let help: Sentence
    let type: SettingType
    /// The value at the beginning.
    let standard: String
    let place: Place

    /// The place in which the value of a setting is stored.
    enum Place: Sendable {
        /// In the settings file, by its name.
        case file
        /// With a command of the node that has always changed it.
        case command(
            read: @Sendable (Node) async throws -> String?,
            write: @Sendable (Node, String) async throws -> Void)
    }

    /// Returns a value in the form in which it is stored.
    /// - Throws: ``CommandFault/refused(_:)`` that says what is allowed.
    func check(_ text: String) throws(CommandFault) -> String {
        if text == "default", type.canonical(standard) != nil { return standard }
        guard let value = type.canonical(text) else {
            throw .refused("'\(name)' is \(type.allowed); it cannot be '\(text)'.")
        }
        return value
    }
}

extension SettingDeclaration {
    static let level = SettingDeclaration(
        name: "notifications.level", help: "What notifications on the desktop say.",
        type: .choice(NoticePreferences.Level.allCases.map(\.rawValue)),
        standard: NoticePreferences.Level.everything.rawValue, place: .file)

    static let quiet = SettingDeclaration(
        name: "notifications.quiet",
        help: "The hours in which nothing is shown on the desktop; a summary follows.",
        type: .hours, standard: "off", place: .file)

    /// Returns whether the notices of a kind are shown.
    static func notices(_ kind: Manifest.NoticeKind) -> SettingDeclaration {
        SettingDeclaration(
            name: "notifications.\(kind.kind)", help: Sentence(declared: kind.help), type: .onOff,
            standard: "on",
            place: .file)
    }

    static let visibility = SettingDeclaration(
        name: "visibility", help: "Who sees your names; everyone sees them for ten minutes only.",
        type: .choice(Visibility.Level.allCases.map(\.rawValue)),
        standard: Visibility.Level.mates.rawValue,
        place: .command(
            read: { try await $0.perform(NearbyCommands.visibility, .init())?.level.rawValue },
            write: { node, value in
                _ = try await node.perform(
                    value == Visibility.Level.everyone.rawValue
                        ? NearbyCommands.showToEveryone : NearbyCommands.showToMates, .init())
            }))

    static let locationSource = SettingDeclaration(
        name: "location.source",
        help: "Where this device's location comes from: set by hand, or a receiver behind gpsd.",
        type: .choice([LocationSourceName.hand, .gpsd].map(\.rawValue)),
        standard: LocationSourceName.hand.rawValue,
        place: .command(
            read: { try await $0.perform(LocationCommands.show, .init())?.source.rawValue },
            write: { node, value in
                let source: LocationSourceName =
                    value == LocationSourceName.gpsd.rawValue ? .gpsd : .hand
                _ = try await node.perform(LocationCommands.source, .init(source: source))
            }))

    static let mapFile = SettingDeclaration(
        name: MapFileSetting.name, help: "The file with the map's picture (MBTiles).",
        type: .file, standard: FileSetting.none, place: .file)

    static let calendarFile: SettingDeclaration = SettingDeclaration(
        name: CalendarFileSetting.name,
        help: "The file with your promises and walks to come, kept current for your calendar.",
        type: .file, standard: FileSetting.none,
        place: .command(
            read: { $0.settings.value(of: .calendarFile) },
            write: { node, value in try await node.keepCalendar(at: value) }))

    static let language = SettingDeclaration(
        name: LanguageSetting.name, help: "The language of windows, notifications and commands.",
        type: .choice(LanguageSetting.allCases.map(\.rawValue)),
        standard: LanguageSetting.system.rawValue, place: .file)

    static let theme = SettingDeclaration(
        name: ThemeSetting.name, help: "Light or dark windows.",
        type: .choice(ThemeSetting.allCases.map(\.rawValue)),
        standard: ThemeSetting.system.rawValue, place: .file)

    static let dataFolder = SettingDeclaration(
        name: DataFolderSetting.name, help: "The folder with everything that is stored.",
        type: .shown("chosen with --home when Waggle starts"), standard: "",
        place: .command(read: { $0.settings.home.directory }, write: { _, _ in }))

    /// The limits of what is stored, in mebibytes.
    static let storage = [
        storage(
            "author",
            help: "The limit, in MiB, on what one person writes in one group, chat or card.",
            from: 1, \.authorBytesMax
        ) { StorageLimits(authorMebibytes: try .init($0)) },
        storage(
            "total", help: "The limit, in MiB, on everything that is stored.", from: 1,
            \.totalBytesMax
        ) { StorageLimits(totalMebibytes: try .init($0)) },
        storage(
            "free", help: "The disk space, in MiB, that stays free however much others write.",
            from: 0,
            \.freeBytesMin
        ) { StorageLimits(freeMebibytes: try .init($0)) },
        storage(
            "photos",
            help: "The limit, in MiB, on photos of others; they are fetched again when needed.",
            from: 1, \.fetchedBytesMax
        ) { StorageLimits(photoMebibytes: try .init($0)) },
    ]

    private static func storage(
        _ name: String, help: Sentence, from lowest: Int,
        _ bytes: any KeyPath<StorageQuota, Int> & Sendable,
        _ limits: @escaping @Sendable (Int) throws -> StorageLimits
    ) -> SettingDeclaration {
        SettingDeclaration(
            name: "storage.\(name)", help: help, type: .whole(lowest...1_048_576),
            standard: String(StorageQuota()[keyPath: bytes] >> 20),
            place: .command(
                read: { String($0.settings.quota[keyPath: bytes] >> 20) },
                write: { node, value in
                    _ = try await node.setStorage(try limits(Int(value) ?? lowest))
                }))
    }
}
