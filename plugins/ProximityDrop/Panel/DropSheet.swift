import Contract
import GtkKit
import PanelKit
import ProximityDropAPI

/// The sheet of a profile drop: what will be sent, the check code, the received card, the result.
@MainActor
final class DropSheet: Sheet {
    /// Called when the user performs an action.
    var onAction: @MainActor (DropScreen.Action) -> Void = { _ in }

    private let tip: TipView
    private let tipBox: Box
    private let sentence = Label().width(characters: 44)
    private let mode = RadioGroup([localized("Share"), localized("Receive only")]).named(
        localized("What to send"))
    private let target = DropDown([DropTarget.anyone.label]).named(localized("Drop with"))
    private let preview = CardView(title: localized("Exactly this will be sent"))
    private let card = CardView(title: localized("Their profile"))
    private let code = Label().styled("check-code").centred().onOneLine().named(
        localized("Check code"))
    private let codeSentence = Label(
        localized("Does the other screen show this too? No need to type it.")
    ).centred().width(characters: 44)
    private let common = Label().centred().width(characters: 44)
    private let topic = Label().styled("heading").centred().width(characters: 44)
    private let meetingBox: Box
    private let progress = ProgressBar().named(localized("Elapsed time"))
    private let actions = Box(.across, spacing: 8).aligned(.end)
    private let choice: Box
    private let targetRow = Box(.down, spacing: 4)
    private let targetNote = Label().styled("dim").width(characters: 44)
    private let codeBox: Box
    private var shownActions: [DropScreen.Action] = []
    /// The devices behind the entries of ``target``.
    private var targets: [DropTarget] = []
    private var shownPreview: DropPreview?
    private let photos: DropPhotoViews

    /// Creates a sheet.
    /// - Parameter tip: a tip that is shown before a drop begins.
    init(tip: TipView, photos: DropPhotoViews) {
        self.tip = tip
        self.photos = photos
        tipBox = Box(.down, [tip])
        choice = Box(.down, spacing: 12, [mode, preview])
        codeBox = Box(.down, spacing: 4, [code, codeSentence]).styled("code-box")
        meetingBox = Box(.down, spacing: 4, [common, topic]).role(.group).named(
            localized("In common"))
        super.init(title: localized("Profile drop"))
        targetRow.append(Label(localized("Drop with")).labels(target).onOneLine())
        targetRow.append(target)
        targetRow.append(targetNote)
        for view in [tipBox, sentence, choice, targetRow, codeBox, meetingBox, card, progress] {
            append(view)
        }
        append(faultView)
        setFooter([actions])
        mode.onChange { [weak self] in self?.showPreview() }
        photos.onChange = { [weak self] in self?.showPhotos() }
    }

    /// Whether the card is sent, or only one received.
    var share: Bool { mode.selection == 0 }

    /// The chosen target; nil before any is offered.
    var chosen: DropTarget? {
        targets.indices.contains(target.selection) ? targets[target.selection] : nil
    }

    /// Shows the fields that would be sent.
    func offer(_ preview: DropPreview?) {
        shownPreview = preview
        photos.show(mine: preview)
        showPreview()
    }

    /// Offers these targets.
    /// - Parameter keepsChosen: whether the chosen one stays even if it is not among them, such as
    ///   a person whose device was announced and is linked now.
    func offer(to wanted: [DropTarget], keepsChosen: Bool = false) {
        let picked = chosen
        // The way to find a person goes with the provider that measures.
        let isKept =
            keepsChosen && picked?.person != nil && !wanted.contains { $0.isSame(as: picked) }
        let offered = wanted + (isKept ? [picked].compactMap { $0 } : [])
        guard offered != targets else { return }
        targets = offered
        target.replaceEntries(with: offered.map(\.label))
        target.selection = offered.firstIndex { $0.isSame(as: picked) } ?? 0
    }

    /// Chooses a person, if they are offered.
    func choose(_ person: NameOrKey) {
        if let index = targets.firstIndex(where: { $0.person == person }) {
            target.selection = index
        }
    }

    /// Shows a session as this screen.
    func show(_ screen: DropScreen, of session: DropStatus) {
        setTitle(screen.title)
        sentence.text = screen.sentence
        sentence.isVisible = !screen.sentence.isEmpty
        choice.isVisible = screen.showsChoice
        tipBox.isVisible = screen.showsChoice && tip.isVisible
        targetRow.isVisible = screen.showsTarget
        targetNote.text = screen.targetNote ?? ""
        targetNote.isVisible = screen.targetNote != nil
        codeBox.isVisible = screen.showsCode
        code.text = session.spelledCheckCode ?? ""
        card.isVisible = screen.showsCard
        card.show(
            session.peer?.fields ?? .none, empty: localized("They chose to receive only.")
        )
        photos.show(theirs: screen.showsCard ? session : nil)
        meetingBox.isVisible = screen.showsMeeting
        common.text = session.meeting?.common.string ?? ""
        topic.text = session.meeting?.topic?.string ?? ""
        topic.isVisible = session.meeting?.topic != nil
        progress.isVisible = screen.progress != nil
        progress.fraction = screen.progress ?? 0
        showActions(screen.actions)
    }

    /// Moves the keyboard focus to the suggested action.
    func focusAction() {
        actions.children.last?.grabFocus()
    }

    private func showPhotos() {
        preview.show(photo: share ? photos.mine : nil)
        card.show(photo: photos.theirs)
    }

    private func showPreview() {
        preview.isVisible = true
        showPhotos()
        if share {
            preview.show(
                shownPreview.map { CardFields($0.fields) } ?? .none,
                empty: localized("Nothing: your profile is still empty."),
                note: shownPreview?.keptPrivateText.map { localized("Kept private: \($0).") })
        } else {
            preview.show(.none, empty: localized("Nothing: you only receive."))
        }
    }

    private func showActions(_ wanted: [DropScreen.Action]) {
        guard wanted != shownActions else { return }
        let hadFocus = actions.children.contains { $0.hasFocus } || shownActions.isEmpty
        shownActions = wanted
        actions.replaceChildren(with: wanted.map(makeButton))
        if hadFocus { focusAction() }
    }

    private func makeButton(_ action: DropScreen.Action) -> Button {
        let button = Button(action.name) { [weak self] in self?.onAction(action) }
        switch action {
        case .start, .choose, .accept, .close, .again:
            return action == shownActions.last
                ? button.suggested() : button
        case .decline, .cancel: return button
        }
    }
}
