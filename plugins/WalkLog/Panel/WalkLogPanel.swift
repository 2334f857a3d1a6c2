public import Contract
import ControlAPI
import FeaturesAPI
public import GtkKit
public import PanelKit
import WalkLogAPI

/// The window's part of the walk log: a page that records a walk and lists the recorded ones, a
/// page of one walk, and their ways on the map.
@MainActor
public final class WalkLogPanel: Panel {
    /// The name of the plugin.
    public static let id = "walklog"
    /// The title of the page.
    public static let title = localized("Walks")
    /// A stopwatch.
    public static let icon = "alarm-symbolic"
    /// A recorded track of another program.
    public static let accepts: [Offer.Kind: String] = [.trackFile: localized("Keep as a walk")]

    private let context: PanelContext
    private let model: WalkLogModel
    private let list = WalkListView()
    private let view: WalkView
    private let export: ExportDialog
    private let stack = Stack()

    private static let listName = "list"
    private static let walkName = "walk"

    /// A panel that shows nothing before the window is connected.
    public init(context: PanelContext) {
        self.context = context
        model = WalkLogModel(node: context.node, clock: context.clock)
        view = WalkView(now: { [clock = context.clock] in clock.now })
        export = ExportDialog(context)
        stack.add(Scroller(list), named: Self.listName)
        stack.add(Scroller(view), named: Self.walkName)
        stack.show(Self.listName)
        model.queries.onFault = context.report
        model.onChange = { [weak self] in
            self?.update()
            self?.context.changed()
        }
        list.onOpen = { [weak self] in self?.open(.mine($0)) }
        list.onDrag = { [context] walk in
            let id = RecordPrefix(walk.id)
            return context.draggedFile(
                Self.export(walk, ending: "gpx") { ExportWalkLog(id: id, gpx: $0) })
        }
        list.onMore = { [weak self] in self?.model.askMore() }
        list.recording.onAction = { [weak self] in self?.perform($0) }
        list.recording.onOffer = { [context] offer in
            context.perform(
                WalkLogCommands.start, StartWalkLog(request: RecordPrefix(offer.request)))
        }
        list.shared.onOpen = { [weak self] in self?.open(.mates($0)) }
        list.shared.onUnshare = { [weak self] in self?.unshare($0) }
        view.onBack = { [weak self] in _ = self?.back() }
        view.onDelete = { [weak self] in self?.delete($0) }
        view.onUnshare = { [weak self] in self?.unshare($0) }
        view.sharing = { [weak self] in self?.sharing($0) ?? [] }
        view.saving = { [weak self] in self?.saving($0) ?? [] }
        view.replay.onChange = { [weak self] in self?.showReplay() }
        stack.onMap { [weak self] in
            self?.update()
            self?.context.changed()
        }
        // GTK is hiding the page now; what the end changes needs the next layout.
        stack.onUnmap { MainLoop.whenIdle { [weak self] in self?.view.replay.end() } }
    }

    /// The page.
    public var page: Widget? { stack }
    /// One while an interrupted walk waits for an answer.
    public var badge: Int { model.status?.state == .interrupted ? 1 : 0 }
    /// Whether a walk is being recorded, or paused.
    public var isWalking: Bool {
        model.status.map { [.recording, .paused].contains($0.state) } ?? false
    }
    /// The queries to the node.
    public var queries: (any PanelQueries)? { model.queries }

    /// The way of the open walk with the position of its replay, else the one that is being
    /// recorded.
    public var mapLayer: MapLayer {
        if let open = model.selected {
            return MapLayer(
                markers: view.replay.position.map { [WalkLayer.marker(of: $0)] } ?? [],
                tracks: WalkLayer.tracks(
                    of: model.selectedTrack?.points ?? [], id: open.id.string,
                    title: open.title(now: context.clock.nodeTime)))
        }
        return MapLayer(
            tracks: WalkLayer.tracks(
                of: model.track, id: WalkLayer.recordingID, title: Self.title))
    }

    /// Shows times as they are now; a page that is not shown costs nothing.
    public func update() {
        guard stack.isMapped else { return }
        let now = context.clock.nodeTime
        if let open = model.selected {
            let shares = open.mine.map(model.shares) ?? []
            view.show(open, track: model.selectedTrack, shares: shares, now: now)
            stack.show(Self.walkName)
        } else {
            view.replay.load(nil)
            list.show(model, now: now)
            stack.show(Self.listName)
        }
    }

    /// Leaves the page of a walk.
    public func back() -> Bool {
        guard let closed = model.selected?.id else { return false }
        view.replay.load(nil)
        model.close()
        list.focus(closed)
        return true
    }

    /// Shows the page, for a click on the way that is being recorded.
    public func open(_ item: MapItem) -> Bool {
        let ids = [WalkLayer.recordingID, WalkLayer.positionID, model.selected?.id.string]
        guard ids.contains(item.id) else { return false }
        context.showPage()
        return true
    }

    /// Shows the page, for a notice about a walk.
    public func open(_ subject: InboxSubject) -> Bool {
        guard subject.kind.string == Self.id else { return false }
        context.showPage()
        return true
    }

    /// Keeps a dropped track as a walk, and opens it.
    public func accept(_ offer: Offer) {
        guard case .trackFile(let path) = offer else { return }
        do {
            let request = LoadWalk(file: try FilePath(path))
            context.obtain(WalkLogCommands.load, request) { [weak self] walk in
                guard let self, let walk else { return }
                context.showPage()
                open(.mine(walk))
            }
        } catch { context.report(error) }
    }

    private func open(_ walk: OpenWalk) {
        Task { [model, context] in
            do {
                guard try await model.open(walk) else { return }
                let route = model.selectedTrack?.points ?? []
                if !route.isEmpty, context.map.isMapped {
                    context.map.fit(route.map(\.coordinate))
                }
            } catch { context.report(error) }
        }
        view.focusBack()
    }

    /// Shows the position of the replay on the picture and on the map.
    private func showReplay() {
        view.showPosition()
        context.changed()
    }

    private func unshare(_ share: SharedWalk) {
        context.perform(WalkLogCommands.unshare, WalkLogReference(id: RecordPrefix(share.id)))
    }

    private func perform(_ action: WalkLogScreen.Action) {
        switch action {
        case .start: context.perform(WalkLogCommands.start, StartWalkLog())
        case .pause: context.perform(WalkLogCommands.pause)
        case .resume: context.perform(WalkLogCommands.resume)
        case .finish: context.perform(WalkLogCommands.finish)
        case .discard:
            context.confirm(
                localized("Discard this walk?"), localized("The recording will be deleted."),
                button: localized("Discard")
            ) { [context] in context.perform(WalkLogCommands.discard) }
        }
    }

    private func delete(_ walk: RecordedWalk) {
        context.confirm(
            localized("Delete this walk?"),
            localized("It is deleted on all your devices. Mates keep what you share with them."),
            button: localized("Delete")
        ) { [weak self] in
            self?.context.perform(
                WalkLogCommands.delete, WalkLogReference(id: RecordPrefix(walk.id))
            ) { isDone in
                if isDone { _ = self?.back() }
            }
        }
    }

    /// Returns an action for each kind of file in which the walk can be written.
    private func saving(_ walk: RecordedWalk) -> [PanelAction] {
        let id = RecordPrefix(walk.id)
        func save(
            _ ending: String, _ request: @escaping @MainActor (FilePath) -> ExportWalkLog
        ) {
            export.ask(
                title: localized("Save this walk"),
                Self.export(walk, ending: ending, request))
        }
        return [
            PanelAction(localized("Save as GPX…")) { save("gpx") { .init(id: id, gpx: $0) } },
            PanelAction(localized("Save as GeoJSON…")) {
                save("geojson") { .init(id: id, geojson: $0) }
            },
            PanelAction(localized("Save the picture…")) { save("png") { .init(id: id, png: $0) } },
        ]
    }

    private static func export(
        _ walk: RecordedWalk, ending: String,
        _ request: @escaping @MainActor (FilePath) -> ExportWalkLog
    ) -> Export<ExportWalkLog> {
        Export(
            named: WalkText.fileName(of: walk), ending: ending, WalkLogCommands.export, request)
    }

    /// Returns an action for each mate who does not see the walk yet, and those of other panels.
    private func sharing(_ walk: RecordedWalk) -> [PanelAction] {
        let track = MapTrack(
            id: walk.id.string, title: OpenWalk.mine(walk).title(now: context.clock.nodeTime),
            locations: model.selectedTrack?.points.map(\.coordinate) ?? [])
        return sharingWithMates(walk) + context.actions(for: .track(track))
    }

    private func sharingWithMates(_ walk: RecordedWalk) -> [PanelAction] {
        let seeing = Set(model.shares(of: walk).map(\.mate.person))
        return context.people.mates.filter { $0.state == .mate && !seeing.contains($0.person) }
            .map { mate in
                let name = context.people.names[mate.person] ?? String(mate.person.string.prefix(6))
                return PanelAction(localized("Share with \(name)")) { [context] in
                    context.perform(
                        WalkLogCommands.share,
                        ShareWalk(id: RecordPrefix(walk.id), with: NameOrKey(mate.person)))
                }
            }
    }
}
