public import Contract
import ControlAPI
public import FeaturesAPI
public import GtkKit
import MatchingAPI
public import PanelKit

/// The window's part of study matching: a page on which the user looks for people and has a match,
/// a page of reviews, and the people on the map.
@MainActor
public final class MatchingPanel: Panel {
    /// The name of the plugin.
    public static let id = "matching"
    /// The title of the page.
    public static let title = localized("Matching")
    /// A book of words.
    public static let icon = "accessories-dictionary-symbolic"

    let context: PanelContext
    let model: MatchingModel
    private let view: MatchingView
    private let reviewsView = ReviewsView()
    private let stack = Stack()
    /// The reviews that were closed before they were sent.
    private var unsent: [Key: ReviewDraft] = [:]

    private static let mainName = "main"
    private static let reviewsName = "reviews"

    /// A panel that shows nothing before the window is connected.
    public init(context: PanelContext) {
        self.context = context
        model = MatchingModel(node: context.node, clock: context.clock)
        view = MatchingView(context)
        stack.add(Scroller(view).keepingFocusInView(), named: Self.mainName)
        stack.add(Scroller(reviewsView).keepingFocusInView(), named: Self.reviewsName)
        stack.show(Self.mainName)
        model.queries.onFault = context.report
        model.onChange = { [weak self] in
            self?.update()
            self?.context.changed()
        }
        model.onMatch = { [weak self] in self?.matched() }
        connect()
    }

    private func connect() {
        view.head.onAction = { [weak self] in self?.perform($0) }
        view.head.onCancel = { [weak self] in self?.cancel() }
        view.wishes.onType = { [weak self] in self?.model.type($0) }
        view.wishes.onSave = { [weak self] in self?.perform { try await $0.saveWishes() } }
        view.wishes.onToggle = { [weak self] wish in
            self?.perform { try await $0.toggle(wish) }
        }
        view.onSharedOnly = { [weak self] in self?.model.list(sharedOnly: $0) }
        view.onRemedy = { [weak self] in self?.perform($0) }
        view.onExpand = { [weak self] in self?.model.expand($0, $1) }
        view.onReviewsOf = { [weak self] in self?.model.openReviews(of: $0, $1) }
        view.onReviewsAgain = { [weak self] in self?.model.askReviews(of: $0) }
        view.onPerson = { [weak self] in self?.perform($0, $1) }
        view.onCard = { [weak self] in self?.editCard() }
        view.onFilters = { [weak self] in self?.editFilters() }
        view.onReviews = { [weak self] in self?.showReviews() }
        view.onReview = { [weak self] in self?.write(to: $0) }
        view.onSkip = { [weak self] in self?.skip($0) }
        reviewsView.onBack = { [weak self] in _ = self?.back() }
        reviewsView.onReview = { [weak self] in self?.write(to: $0) }
        reviewsView.onSkip = { [weak self] in self?.skip($0) }
        reviewsView.onShow = { [weak self] review, isShown in
            self?.perform { try await $0.show(review, isShown) }
        }
        stack.onMap { [weak self] in
            self?.update()
            self?.model.markMatchSeen()
        }
    }

    /// The page.
    public var page: Widget? { stack }
    /// Requests, reviews that can be written, and a match that the user has not seen.
    public var badge: Int { model.waitingCount }
    /// The queries to the node.
    public var queries: (any PanelQueries)? { model.queries }

    /// A match that the user has not seen, with a button that opens the chat.
    public var bars: [PanelBar] {
        guard model.isMatchNew, !stack.isMapped, model.room != nil else { return [] }
        return [
            PanelBar(
                id: "match", icon: Self.icon, title: model.head.title, detail: "",
                answers: [
                    PanelAction(localized("Later")) { [model] in model.markMatchSeen() },
                    PanelAction(localized("Open the chat"), isSuggested: true) { [weak self] in
                        self?.openChat()
                    },
                ])
        ]
    }

    /// The people who look, while the user does.
    public var mapLayer: MapLayer {
        guard let screen = model.peopleScreen else { return MapLayer() }
        let mine = model.status?.location.map { Coordinate($0.latitude, $0.longitude) }
        return MatchingLayer.make(
            model.people?.people ?? [], entries: screen.people,
            around: context.people.myLocation ?? mine)
    }

    /// Shows times as they are now; a page that is not shown costs nothing.
    public func update() {
        guard stack.isMapped else { return }
        if stack.shown == Self.reviewsName {
            reviewsView.show(model.reviewsScreen)
        } else {
            model.followReviews()
            view.show(model)
        }
    }

    /// Leaves the page of reviews.
    public func back() -> Bool {
        guard stack.shown == Self.reviewsName else { return false }
        stack.show(Self.mainName)
        update()
        view.focusReviews()
        return true
    }

    /// Expands the card of a person, for a click on their marker.
    public func open(_ item: MapItem) -> Bool {
        guard let person = MatchingLayer.person(of: item.id) else {
            guard item.id == MatchingLayer.circleID else { return false }
            context.showPage()
            return true
        }
        show(person)
        return true
    }

    /// Shows the card of a person on the page.
    private func show(_ person: Key) {
        context.showPage()
        stack.show(Self.mainName)
        model.list(sharedOnly: false)
        model.expand(person, true)
        view.focus(person)
    }

    /// Shows what an inbox item is about: a request, a match, or reviews.
    public func open(_ subject: InboxSubject) -> Bool {
        guard subject.kind.string == Self.id else { return false }
        context.showPage()
        switch MatchingItem(subject.reference) {
        case .request(let person): show(person)
        case .review, .reviewed: showReviews()
        case .match, nil: break
        }
        return true
    }

    /// The answers to a request in the inbox; for news a button that shows them.
    public func answers(to item: InboxList.Item) -> [PanelAction] {
        guard item.kind.string == Self.id, let reference = item.ref?.string else { return [] }
        switch MatchingItem(reference) {
        case .request(let person):
            return [.decline, .accept].map { (action: PersonEntry.Action) in
                PanelAction(action.title, isSuggested: action == .accept) { [weak self] in
                    self?.perform(action, person)
                }
            }
        case .match:
            guard model.room != nil, model.status?.partner?.person == item.person else {
                return []
            }
            return [PanelAction(localized("Open the chat")) { [weak self] in self?.openChat() }]
        case .review:
            guard let person = item.person else { return [] }
            return [
                PanelAction(localized("No review")) { [weak self] in self?.skip(person) },
                PanelAction(localized("Review…")) { [weak self] in self?.write(to: person) },
            ]
        case .reviewed:
            return [
                PanelAction(localized("Show")) { [weak self] in
                    self?.context.showPage()
                    self?.showReviews()
                }
            ]
        case nil: return []
        }
    }
}

// MARK: - The match

extension MatchingPanel {
    /// Opens the chat of a match that began while the page is on the screen, unless the user is
    /// typing or has a sheet open. Elsewhere a bar and the node's notice tell of it.
    private func matched() {
        guard stack.isMapped, !stack.isUnderSheet, !stack.isTextFocused else { return }
        openChat()
    }

    private func openChat() {
        guard let room = model.room else { return }
        model.markMatchSeen()
        context.actions(for: .room(room)).first?.perform()
    }

    private func perform(_ action: MatchingHead.Action) {
        switch action {
        case .look: perform { try await $0.look() }
        case .stop: perform { try await $0.stop() }
        case .openChat: openChat()
        }
    }

    private func skip(_ person: Key) { perform { try await $0.skipReview(of: person) } }

    private func perform(_ action: PersonEntry.Action, _ person: Key) {
        if action == .openChat { return openChat() }
        perform { try await $0.perform(action, person) }
    }

    private func perform(_ remedy: PeopleScreen.Remedy) {
        switch remedy {
        case .showAll: model.list(sharedOnly: false)
        case .clearFilters: perform { try await $0.save(FilterDraft()) }
        }
    }

    /// Ends the match after a question that tells the cost; takes an acceptance back at once.
    private func cancel() {
        guard let status = model.status, status.state == .matched else {
            return perform { try await $0.cancel() }
        }
        context.confirm(
            localized("End the match with \(PartnerText.name(status.partner))?"),
            PartnerText.costOfEnding(after: status.cancelCount.value),
            button: localized("End the match")
        ) { [weak self] in
            self?.perform { try await $0.cancel() }
        }
    }

    /// Performs an action of the user. A refusal is shown in a bar.
    private func perform(_ action: @escaping @MainActor (MatchingModel) async throws -> Void) {
        Task {
            do { try await action(model) } catch {
                context.report(error)
                update()
            }
        }
    }
}

// MARK: - Sheets

extension MatchingPanel {
    private func showReviews() {
        stack.show(Self.reviewsName)
        update()
        reviewsView.focusBack()
    }

    private func editCard() {
        let sheet = CardSheet(CardDraft(model.card ?? MatchingCard()))
        present(sheet) { [model] in try await model.save(sheet.draft) }
        sheet.focusFirst()
    }

    private func editFilters() {
        let sheet = FilterSheet(FilterDraft(model.filters ?? MatchingFilters()))
        present(sheet) { [model] in try await model.save(sheet.draft) }
        sheet.focusFirst()
    }

    /// Opens the sheet of a review. If it is closed before it was sent, what was written is kept.
    private func write(to person: Key) {
        let sheet = ReviewSheet(name: model.name(of: person), unsent[person] ?? ReviewDraft())
        unsent[person] = nil
        present(sheet) { [model] in
            try await model.send(sheet.draft, to: person)
        } onDismiss: { [weak self] isDone in
            if !isDone { self?.unsent[person] = sheet.draft }
        }
        sheet.focusFirst()
    }

    private func present(
        _ sheet: AnswerSheet, save: @escaping @MainActor () async throws -> Void,
        onDismiss: @escaping @MainActor (_ isDone: Bool) -> Void = { _ in }
    ) {
        var isDone = false
        sheet.onCancel = { [context, weak sheet] in sheet.map(context.dismiss) }
        sheet.onSave = { [context, weak sheet] in
            try await save()
            isDone = true
            sheet.map(context.dismiss)
        }
        context.present(
            sheet,
            onDismiss: { [weak sheet] in
                // The closures hold the sheet.
                sheet?.onSave = {}
                onDismiss(isDone)
            })
    }
}
