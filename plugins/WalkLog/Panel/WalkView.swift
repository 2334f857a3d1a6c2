import Contract
import GtkKit
import PanelKit
import WalkLogAPI

/// The page of one walk: its numbers, a picture of its way, its replay, and for a walk of the user
/// the mates who see it, and what can be done with it. Its way is on the map, too.
@MainActor
final class WalkView: Box {
    /// Called when the page is to be left.
    var onBack: @MainActor () -> Void = {}
    /// Called when the walk is to be deleted.
    var onDelete: @MainActor (RecordedWalk) -> Void = { _ in }
    /// Called with a share that is to be taken back.
    var onUnshare: @MainActor (SharedWalk) -> Void = { _ in }
    /// Returns the actions that show the walk to a mate.
    var sharing: @MainActor (RecordedWalk) -> [PanelAction] = { _ in [] }
    /// Returns the actions that write the walk into a file.
    var saving: @MainActor (RecordedWalk) -> [PanelAction] = { _ in [] }
    /// The replay of the walk.
    let replay: WalkReplayView

    private let back = Button(icon: "go-previous-symbolic", name: localized("All walks"))
        .styled("flat").aligned(.start, .centre)
    private let title = Label().styled("page-title").width(characters: 18)
        .expanding(across: true).aligned(.fill, .centre)
    private let time = Label().styled("heading").width(characters: 34)
    private let numbers = Label().width(characters: 34)
    private let moving = Label().styled("dim").width(characters: 34)
    private let company = Label().styled("dim").width(characters: 34)
    private let note = Label().styled("dim").width(characters: 34).role(.status)
    private let shares = Box(.down, spacing: 8)
    private let picture = RouteView().named(localized("Picture of the route"))
    private lazy var share = MenuButton(icon: "mail-send-symbolic") { [weak self] in
        guard let self, let walk = self.walk else { return [] }
        return sharing(walk)
    }.titled(localized("Share this walk"))
    private lazy var save = MenuButton { [weak self] in
        guard let self, let walk = self.walk else { return [] }
        return saving(walk)
    }.titled(localized("More actions"))
    private let delete = Button(localized("Delete…"))
    /// The walk of the user that is shown.
    private var walk: RecordedWalk?
    private var shownTrack: WalkTrack?
    private var parts: [[Coordinate]] = []
    private var shownShares: [SharedWalk] = []

    /// Creates a page without a walk.
    /// - Parameter now: the window's time on a clock that is never set.
    init(now: @escaping @MainActor () -> Duration) {
        replay = WalkReplayView(now: now)
        super.init(.down, spacing: 12)
        styled("page")
        let buttons = Box(.across, spacing: 4, [share, save]).aligned(.end, .centre)
        let header = Box(.across, spacing: 8, [back, title, buttons])
        let views = [
            header, time, numbers, moving, company, note, picture, replay, shares,
            delete.aligned(.start),
        ]
        for view in views { append(view) }
        back.onClick { [weak self] in self?.onBack() }
        delete.onClick { [weak self] in
            guard let self, let walk = self.walk else { return }
            onDelete(walk)
        }
    }

    /// Shows a walk. Of a mate's walk, nothing can be shared, saved or deleted.
    func show(_ open: OpenWalk, track: WalkTrack?, shares: [SharedWalk], now: Timestamp) {
        walk = open.mine
        title.text = open.title(now: now)
        switch open {
        case .mine(let walk): show(walk)
        case .mates(let walk):
            time.text = WalkText.clock(seconds: walk.elapsedSeconds.value)
            numbers.text = WalkText.numbers(walk)
        }
        let isMine = walk != nil
        for view in [moving, share, save, delete] { view.isVisible = isMine }
        let names = walk.flatMap { WalkText.company($0.company) }
        company.text = names ?? ""
        company.isVisible = names != nil
        if track != shownTrack { show(track) }
        let reason = track?.note.map { localized($0.sentence) }
        note.text = reason ?? ""
        note.isVisible = reason != nil
        share.update()
        save.update()
        if shares != shownShares { show(shares) }
        self.shares.isVisible = !shares.isEmpty
    }

    /// Moves the keyboard focus to the button that leaves the page.
    func focusBack() { back.grabFocus() }

    /// Shows the position of the replay on the picture.
    func showPosition() { picture.show(parts, mark: replay.position?.coordinate) }

    private func show(_ walk: RecordedWalk) {
        let measures = walk.measures
        time.text = WalkText.clock(seconds: measures.elapsedSeconds.value)
        numbers.text = WalkText.numbers(measures)
        moving.text = localized(
            "Moving for \(WalkText.clock(seconds: measures.movingSeconds.value))")
    }

    private func show(_ track: WalkTrack?) {
        shownTrack = track
        let places = track?.points ?? []
        parts = WalkLayer.parts(of: places)
        replay.load(WalkReplay(places))
        showPosition()
    }

    private func show(_ shares: [SharedWalk]) {
        shownShares = shares
        self.shares.replaceChildren(
            with: shares.map { share in
                let name = share.mate.shownName
                let button = Button(localized("Take back")) { [weak self] in
                    self?.onUnshare(share)
                }.named(localized("Take back from \(name)"))
                let seen = Label(localized("\(name) sees this walk")).width(characters: 20)
                    .expanding(across: true)
                return Box(.across, spacing: 8, [seen, button])
            })
    }
}
