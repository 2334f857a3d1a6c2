import Contract
import GtkKit
import PanelKit
import WalkLogAPI

/// The page of one walk: its numbers, the mates who see it, and what can be done with it. Its way
/// is on the map.
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
    private lazy var share = MenuButton(icon: "mail-send-symbolic") { [weak self] in
        guard let self, let walk = self.walk else { return [] }
        return sharing(walk)
    }
    private let delete = Button(localized("Delete…"))
    private var walk: RecordedWalk?
    private var shownShares: [SharedWalk] = []

    init() {
        super.init(.down, spacing: 12)
        styled("page")
        share.titled(localized("Share this walk"))
        let header = Box(.across, spacing: 8, [back, title, share.aligned(.end, .centre)])
        for view in [header, time, numbers, moving, company, note, shares, delete.aligned(.start)] {
            append(view)
        }
        back.onClick { [weak self] in self?.onBack() }
        delete.onClick { [weak self] in
            guard let self, let walk = self.walk else { return }
            onDelete(walk)
        }
    }

    /// Shows a walk.
    func show(_ walk: RecordedWalk, track: WalkTrack?, shares: [SharedWalk], now: Timestamp) {
        self.walk = walk
        let measures = walk.measures
        title.text = walk.startedMs.dayAndTime(now: now)
        time.text = WalkText.clock(seconds: measures.elapsedSeconds.value)
        numbers.text = WalkText.numbers(measures)
        moving.text = localized(
            "Moving for \(WalkText.clock(seconds: measures.movingSeconds.value))")
        let names = WalkText.company(walk.company)
        company.text = names ?? ""
        company.isVisible = names != nil
        let reason = track?.note.map { localized($0.sentence) }
        note.text = reason ?? ""
        note.isVisible = reason != nil
        share.update()
        if shares != shownShares { show(shares) }
        self.shares.isVisible = !shares.isEmpty
    }

    /// Moves the keyboard focus to the button that leaves the page.
    func focusBack() { back.grabFocus() }

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
