import Contract
import GtkKit
import PanelKit
import WalkLogAPI

/// The part of the page that begins a recording, counts its time, and ends it.
@MainActor
final class WalkRecordingView: Box {
    /// Called with a button.
    var onAction: @MainActor (WalkLogScreen.Action) -> Void = { _ in }
    /// Called with an accepted walk request that is to be recorded.
    var onOffer: @MainActor (WalkLogStatus.Offer) -> Void = { _ in }

    private let title = Label().styled("heading").width(characters: 34).role(.status)
    private let clock = Label().styled("page-title")
    private let numbers = Label().width(characters: 34)
    private let company = Label().styled("dim").width(characters: 34)
    private let trouble = Label().styled("dim").width(characters: 34)
    private let buttons = Box(.across, spacing: 8)
    private let offers = Box(.down, spacing: 8)
    private var shownActions: [WalkLogScreen.Action] = []
    private var shownOffers: [WalkLogStatus.Offer] = []

    init() {
        super.init(.down, spacing: 8)
        for view in [title, clock, numbers, company, trouble, buttons, offers] { append(view) }
    }

    /// Shows a moment of the recording, and the walk requests that can be recorded.
    func show(_ screen: WalkLogScreen, offers: [WalkLogStatus.Offer]) {
        title.text = screen.title
        for (label, text) in [
            (clock, screen.clock), (numbers, screen.numbers), (company, screen.company),
            (trouble, screen.trouble),
        ] {
            label.text = text ?? ""
            label.isVisible = text != nil
        }
        if screen.actions != shownActions { showButtons(screen.actions) }
        let wanted = screen.actions == [.start] ? offers : []
        if wanted != shownOffers { showOffers(wanted) }
    }

    private func showButtons(_ actions: [WalkLogScreen.Action]) {
        shownActions = actions
        buttons.replaceChildren(
            with: actions.map { action in
                let button = Button(action.title) { [weak self] in self?.onAction(action) }
                return action == actions.first ? button.suggested() : button
            })
    }

    private func showOffers(_ wanted: [WalkLogStatus.Offer]) {
        shownOffers = wanted
        offers.replaceChildren(
            with: wanted.map { offer in
                Button(localized("Record the walk with \(offer.mate.shownName)")) { [weak self] in
                    self?.onOffer(offer)
                }.aligned(.start)
            })
        offers.isVisible = !wanted.isEmpty
    }
}
