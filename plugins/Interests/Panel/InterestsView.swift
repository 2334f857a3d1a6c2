import Contract
import GtkKit
import InterestsAPI
import PanelKit

/// The page of interests: the switch that looks for people, the match, and the user's interests; or
/// the choice of interests.
@MainActor
final class InterestsView: Box {
    /// Called when the user begins to look, or stops.
    var onLook: @MainActor (_ isOn: Bool) -> Void = { _ in }
    /// Called when the user has met the match.
    var onMeet: @MainActor () -> Void = {}
    /// Called when another topic is to be shown.
    var onNextTopic: @MainActor () -> Void = {}
    /// Called when other interests are to be chosen.
    var onChange: @MainActor () -> Void = {}
    /// The choice of interests.
    let chooser = InterestChooser()

    private let look = ActionRow()
    private let lookSwitch = Switch()
    private let people = Label().styled("heading").width(characters: 34).role(.status)
    private let hint = Label().styled("dim").width(characters: 34)
    private let found: Box
    private let match = MatchView()
    private let mine = Label().width(characters: 34)
    private let change = Button(localized("Change…"))
    private let overview: Scroller

    init() {
        let content = Box(.down, spacing: 16).styled("page")
        overview = Scroller(content)
        found = Box(.down, spacing: 4, [people, hint])
        super.init(.down)
        content.append(Label(localized("Interests")).styled("page-title"))
        look.addSuffix(lookSwitch)
        let own = Box(
            .down, spacing: 8,
            [
                Label(localized("Your interests")).styled("heading"), mine,
                change.named(localized("Change your interests")).aligned(.start),
            ])
        for view in [RowList([look]), found, match, own] { content.append(view) }
        append(overview.expanding(down: true))
        append(chooser.expanding(down: true))
        lookSwitch.onTurn { [weak self] in self?.onLook($0) }
        change.onClick { [weak self] in self?.onChange() }
        match.onMeet = { [weak self] in self?.onMeet() }
        match.onNextTopic = { [weak self] in self?.onNextTopic() }
    }

    /// Shows a moment of the page.
    /// - Parameter draft: the interests that are being chosen, in place of everything else.
    func show(_ screen: InterestsScreen, choosing draft: InterestDraft?) {
        overview.isVisible = draft == nil
        chooser.isVisible = draft != nil
        if let draft { chooser.show(draft, canCancel: !screen.mine.isEmpty) }
        mine.text = screen.mine
        look.title = screen.lookTitle
        look.subtitle = screen.lookDetail
        lookSwitch.isOn = screen.isLooking
        lookSwitch.named(
            screen.isLooking
                ? localized("Stop looking for people with your interests")
                : localized("Look for people with your interests for 10 minutes"))
        people.text = screen.people ?? ""
        found.isVisible = screen.people != nil
        hint.text = screen.hint ?? ""
        hint.isVisible = screen.hint != nil
        match.show(screen.match)
    }

    /// Moves the keyboard focus to the button that changes the interests.
    func focusChange() { change.grabFocus() }
}

/// The match: the common interests, a question to begin with, and the pulse if a distance is known.
@MainActor
final class MatchView: Box {
    /// Called when the user has met the match.
    var onMeet: @MainActor () -> Void = {}
    /// Called when another topic is to be shown.
    var onNextTopic: @MainActor () -> Void = {}

    private let title = Label().styled("sheet-title").centred().width(characters: 26)
    private let pulse = PulseView()
    private let distance = Label().centred().width(characters: 34)
    private let numbers = Label().styled("dim").centred().width(characters: 34)
    private let common = Label().centred().width(characters: 34)
    private let topic = Label().styled("heading").centred().width(characters: 34)
    private let next = Button(localized("Another question"))
    private let meet = Button(localized("We met")).suggested()
    private let meetHint = Label(
        localized("Both of you tap this within 5 seconds to exchange your profiles.")
    ).styled("dim").centred().width(characters: 34)

    init() {
        super.init(.down, spacing: 8)
        styled("card").role(.group).named(localized("Best match"))
        for view in [title, pulse, distance, numbers, common, topic] { append(view) }
        append(next.aligned(.centre))
        append(meet.aligned(.centre))
        append(meetHint)
        meet.onClick { [weak self] in self?.onMeet() }
        next.onClick { [weak self] in self?.onNextTopic() }
        hidden()
    }

    /// Shows a match; nil shows nothing.
    func show(_ match: InterestsScreen.Match?) {
        isVisible = match != nil
        let isMoving = FrameTicker.isMotionWanted(by: self)
        pulse.show(match?.beat, isMoving: isMoving)
        guard let match else { return }
        title.text = match.title
        common.text = match.common
        topic.text = match.topic ?? ""
        topic.isVisible = match.topic != nil
        distance.text = match.distance ?? ""
        distance.isVisible = match.distance != nil
        numbers.text = match.beat?.text ?? ""
        numbers.isVisible = match.beat != nil && !isMoving
        next.isVisible = match.hasFurtherTopics
        meet.isVisible = match.canMeet
        meetHint.isVisible = match.canMeet
    }
}
