import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import NodeAPI
import PanelKit

/// The preferences that come with Waggle, in groups. Settings of the node that belong to no group
/// are shown under the last heading.
@MainActor
final class PreferencesView: Box {
    /// The facts that the view shows.
    struct Content {
        var settings: [Setting] = []
        var blocked: [BlockList.Entry]?
        var muted: [MutedWord.Shown] = []
        var visibility: Visibility?
        /// The time when the seconds of the visibility were counted, on the window's clock.
        var countedAt = Duration.zero
    }

    private let context: PanelContext
    private let general = SettingsView(localized("General")) {
        [ThemeSetting.name, LanguageSetting.name].contains($0)
    }
    private let visibility = VisibilityView(hasHeading: false)
    private let location: SettingsView
    private let notices = SettingsView(localized("Notifications")) {
        $0.hasPrefix("notifications.")
    }
    private let blocked: BlockedView
    private let muted: MutedWordsView
    private let data: DataView
    private let storage = SettingsView(localized("Storage")) { $0.hasPrefix("storage.") }
    private let more = SettingsView(localized("Other settings")) {
        !PreferencesView.groups.contains($0.group)
    }
    private let moreHeading = Label(localized("Other settings")).styled("heading")
    private let opener = FileOpener()
    private let shown: @MainActor () -> Content
    private var ticker: Ticker?

    /// The first words of the names of the settings that have a group.
    private static let groups: Set<Substring> = [
        "theme", "language", "visibility", "location", "map", "notifications", "storage", "data",
    ]

    /// Creates the view.
    /// - Parameter content: returns the facts as they are now.
    init(_ context: PanelContext, content: @escaping @MainActor () -> Content) {
        self.context = context
        shown = content
        blocked = BlockedView(context)
        muted = MutedWordsView(context)
        data = DataView(context)
        let track = Button(localized("Choose…")).named(localized("Choose a recorded track"))
        let forget = Button(localized("Forget")).named(localized("Forget my location"))
        let trackRow = ActionRow(
            localized("Recorded track"),
            subtitle: localized("A GPX file that is played as your location."))
        let forgetRow = ActionRow(
            localized("Forget my location"),
            subtitle: localized("Your mates no longer see it either."))
        trackRow.addMainSuffix(track)
        forgetRow.addMainSuffix(forget)
        for row in [trackRow, forgetRow] { row.stackedIfLarge() }
        location = SettingsView(localized("Location and map"), others: [trackRow, forgetRow]) {
            $0 == SettingText.locationSource || $0 == MapFileSetting.name
        }
        super.init(.down, spacing: 12)
        for (title, view) in [
            (localized("General"), general), (localized("What others can see now"), visibility),
            (localized("Location and map"), location), (localized("Notifications"), notices),
            (localized("Blocked people"), blocked), (localized("Muted words"), muted),
            (localized("Your data"), data), (localized("Storage"), storage),
        ] as [(String, Widget)] {
            append(Label(title).styled("heading"))
            append(view)
        }
        append(moreHeading)
        append(more)
        visibility.onChange = { isForEveryone in
            context.perform(
                isForEveryone ? NearbyCommands.showToEveryone : NearbyCommands.showToMates)
        }
        forget.onClick { context.perform(LocationCommands.clear) }
        track.onClick { [weak self] in self?.askForTrack() }
        for view in settingViews {
            view.onSet = { [weak self, weak view] in self?.set($0, to: $1, in: view) }
        }
        ticker = Ticker { [weak self] in self?.update() }
        update()
    }

    private var settingViews: [SettingsView] { [general, location, notices, storage, more] }

    /// Shows everything as it is now.
    func update() {
        let (content, now) = (shown(), context.clock.nodeTime)
        let settings = content.settings.map(current)
        for view in settingViews { view.show(settings) }
        more.isVisible = !more.isEmpty
        moreHeading.isVisible = !more.isEmpty
        visibility.show(
            content.visibility, measuredAt: content.countedAt, now: context.clock.now)
        location.setDetail(
            SettingText.source(of: context.people.location, now: now),
            of: SettingText.locationSource)
        blocked.show(content.blocked, now: now)
        muted.show(content.muted)
        let folder = content.settings.first { $0.name.string == DataFolderSetting.name }
        data.show(folder: folder?.value.string ?? "")
    }

    /// Returns a setting with the value that it has now: the source of the location may be changed
    /// by another command.
    private func current(_ setting: Setting) -> Setting {
        guard setting.name.string == SettingText.locationSource,
            let source = context.people.location?.source
        else { return setting }
        var current = setting
        current.value = SettingValue.Shown(clipping: source.rawValue)
        return current
    }

    /// Changes a setting; a value that is not allowed is refused with a sentence that says what is.
    private func set(_ name: String, to value: String, in view: SettingsView?) {
        Task { [context] in
            do {
                _ = try await context.node.call(
                    ConfigCommands.set,
                    ChangeSetting(name: try SettingName(name), value: try SettingValue(value)))
                view?.setFault(nil, of: name)
            } catch {
                view?.setFault(CommandFault(error).shown(), of: name)
            }
        }
    }

    private func askForTrack() {
        opener.ask(title: localized("Play a recorded track"), ending: "gpx") { [context] path in
            do {
                // The track begins now: with the times it was recorded at, its locations would be
                // old.
                context.perform(
                    LocationCommands.source,
                    ChooseLocationSource(
                        source: .gpx, file: try FilePath(path), startMs: context.clock.nodeTime))
            } catch {
                context.report(error)
            }
        }
    }
}

extension String {
    /// The first word of a setting's name, which settings of one subject share.
    fileprivate var group: Substring { prefix { $0 != "." } }
}
