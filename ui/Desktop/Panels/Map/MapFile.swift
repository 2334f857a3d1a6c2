import Contract
import ControlAPI
import NodeAPI
import PanelKit

/// The file of map tiles beneath the map: the one that the setting names, and one that is dropped
/// on the window and becomes the setting. A file that cannot be drawn has a bar with the reason.
@MainActor
final class MapFile {
    /// The ending of the files that may be dropped.
    static let ending = "mbtiles"

    private let context: PanelContext
    /// The path of the file that the setting names; nil if it names none.
    private(set) var path: String?
    /// The title of the file that is drawn.
    private var title: String?
    /// The reason why a file cannot be drawn.
    private var fault: String?
    /// The number of files that were dropped; only the last one counts.
    private var dropsCount = 0

    init(context: PanelContext) {
        self.context = context
    }

    /// Draws the file that the setting names.
    func show(setting value: String) async {
        let path = FileSetting.path(value)
        guard path != self.path else { return }
        self.path = path
        await draw()
    }

    /// Draws a dropped file and makes it the setting. One that cannot be drawn changes nothing.
    func drop(_ dropped: String) async {
        let (before, titleBefore) = (path, title)
        dropsCount += 1
        let number = dropsCount
        do {
            let title = try await context.map.underlay(dropped)
            // Another file was dropped meanwhile.
            guard number == dropsCount else { return }
            path = dropped
            try await set(dropped)
            self.title = title
            fault = nil
            offerUndo(before)
        } catch {
            guard number == dropsCount else { return }
            path = before
            (title, fault) = (titleBefore, CommandFault(error).shown())
            _ = try? await context.map.underlay(before)
        }
        context.changed()
    }

    /// The bar with the reason why a file cannot be drawn.
    var bars: [PanelBar] {
        guard let fault else { return [] }
        let close = PanelAction(localized("Close")) { [weak self] in
            self?.fault = nil
            self?.context.changed()
        }
        return [
            PanelBar(
                id: "map-file", icon: MapPanel.icon,
                title: localized("The map file cannot be shown"),
                detail: fault, answers: path == nil || title != nil ? [close] : [close, removal])
        ]
    }

    /// The entries of the map's menu.
    var actions: [PanelAction] { path == nil ? [] : [removal] }

    private var removal: PanelAction {
        PanelAction(
            title.map { localized("Remove the map “\($0)”") } ?? localized("Remove the map file")
        ) {
            [weak self] in Task { await self?.remove() }
        }
    }

    private func remove() async {
        let before = path
        do {
            path = nil
            try await set(nil)
            offerUndo(before)
        } catch {
            path = before
            context.report(error)
        }
        await draw()
    }

    private func draw() async {
        let wanted = path
        var drawn: (title: String?, fault: String?)
        do {
            drawn = (try await context.map.underlay(wanted), nil)
        } catch {
            drawn = (nil, CommandFault(error).shown())
        }
        guard wanted == path else { return }
        (title, fault) = drawn
        context.changed()
    }

    private func set(_ path: String?) async throws {
        _ = try await context.node.call(
            ConfigCommands.set,
            ChangeSetting(
                name: SettingName(MapFileSetting.name),
                value: SettingValue(path ?? FileSetting.none, field: "value")))
    }

    /// Lets the user go back to the file before. The setting itself is changed at once, so that a
    /// second window shows it too.
    private func offerUndo(_ before: String?) {
        let sentence =
            path == nil
            ? localized("The map file was removed") : localized("The map shows “\(title ?? "")”")
        context.offerUndo(
            UndoOffer(sentence, undo: { [weak self] in self?.goBack(to: before) }, settle: {}))
    }

    private func goBack(to before: String?) {
        Task {
            do {
                try await set(before)
                path = before
                await draw()
            } catch {
                context.report(error)
            }
        }
    }
}
