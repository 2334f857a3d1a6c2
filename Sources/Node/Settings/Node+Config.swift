internal import Foundation
internal import NodeAPI
internal import Notifications
internal import PluginHost
public import PluginKit

// The settings: one list of declarations, read and changed by `config`.
extension Node {
    /// Every setting, those of one subject together.
    nonisolated var settingDeclarations: [SettingDeclaration] {
        let notices = [.level, .quiet] + host.noticeKinds.map { SettingDeclaration.notices($0) }
        let shown: [SettingDeclaration] = [
            .visibility, .locationSource, .mapFile, .calendarFile, .language, .theme,
        ]
        return notices + shown + SettingDeclaration.storage + [.dataFolder]
    }

    /// Answers `config list`. A setting of a plugin that is disabled is left out.
    func listSettings() async throws -> SettingList {
        var list: [Setting] = []
        for declaration in settingDeclarations {
            if let setting = try await setting(declaration) { list.append(setting) }
        }
        return SettingList(settings: list)
    }

    /// Answers `config get`.
    func getSetting(_ request: SettingReference) async throws -> Setting {
        let declaration = try declaration(request.name.string)
        guard let setting = try await setting(declaration) else {
            throw CommandFault.refused("'\(request.name)' belongs to a plugin that is disabled.")
        }
        return setting
    }

    /// Performs `config set`: checks the value, stores it, follows it and tells everyone.
    func setSetting(_ request: ChangeSetting) async throws -> Setting {
        let declaration = try declaration(request.name.string)
        let value = try declaration.check(request.value.string)
        switch declaration.place {
        case .file: try settings.setValue(value, of: declaration)
        case .command(_, let write): try await write(self, value)
        }
        await notifier?.apply(
            settings.noticePreferences(host.noticeKinds), in: settings.catalogue)
        events.publish(ConfigEvents.changed, ConfigChange(name: declaration.name))
        return try await getSetting(SettingReference(name: request.name))
    }

    private func declaration(_ name: String) throws(CommandFault) -> SettingDeclaration {
        guard let found = settingDeclarations.first(where: { $0.name == name }) else {
            throw .notFound("There is no setting '\(name)'; see 'config list'.")
        }
        return found
    }

    private func setting(_ declaration: SettingDeclaration) async throws -> Setting? {
        let value: String? =
            switch declaration.place {
            case .file: settings.value(of: declaration)
            case .command(let read, _): try await read(self)
            }
        return value.map {
            Setting(
                name: declaration.name, value: $0, allowed: declaration.type.allowed,
                choices: declaration.type.choices, isFile: declaration.type == .file,
                help: declaration.help)
        }
    }

    /// Performs a plugin's command.
    /// - Returns: nil if no plugin here declares it.
    func perform<Request, Answer>(
        _ command: Command<Request, Answer>, _ request: Request
    ) async throws -> Answer? {
        try await host.perform(command.declaration, Arguments(request))?.decoded(as: Answer.self)
    }
}

extension NodeSettings {
    /// The texts for the person, in the language of the settings or else of the environment; in
    /// English if the translations cannot be read. A node uses them for notices on the desktop. All
    /// else that it says is in English, and the programs that show it translate it.
    public var catalogue: Catalogue {
        let language = Language(
            setting: value(of: .language), environment: ProcessInfo.processInfo.environment)
        return (try? Catalogue(language)) ?? .english
    }

    /// Returns the choices about notices on the desktop.
    func noticePreferences(_ kinds: [Manifest.NoticeKind]) -> NoticePreferences {
        NoticePreferences(
            level: NoticePreferences.Level(rawValue: value(of: .level)) ?? .everything,
            quiet: QuietHours(value(of: .quiet)),
            off: Set(kinds.filter { value(of: .notices($0)) == "off" }.map(\.kind)))
    }
}
