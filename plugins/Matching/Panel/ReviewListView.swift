import Contract
import GtkKit
import PanelKit

/// Reviews under the sentence that says who wrote them.
@MainActor
final class ReviewListView: Box {
    /// Called when a review is to be shown on the user's card, or hidden.
    var onShow: @MainActor (RecordKey, _ isShown: Bool) -> Void = { _, _ in }
    /// Called when reviews that did not arrive are to be asked for again.
    var onTryAgain: @MainActor () -> Void = {}

    private let label = Label().styled("heading").width(characters: 34)
    private let hint = Label().styled("dim").width(characters: 34).role(.status)
    private let tryAgain = Button(localized("Try again")).aligned(.start)
    private let list = Box(.down).styled("list-box").role(.list).named(localized("Reviews"))
    private var shown: [ReviewEntry]?

    init() {
        super.init(.down, spacing: 8)
        for view in [label, hint, tryAgain, list] { append(view) }
        tryAgain.onClick { [weak self] in self?.onTryAgain() }
    }

    /// Shows reviews.
    /// - Parameter canTryAgain: whether there is a button to ask for them again.
    func show(
        _ reviews: [ReviewEntry], label sentence: String?, hint text: String?,
        canTryAgain: Bool = false
    ) {
        tryAgain.isVisible = canTryAgain
        label.text = sentence ?? ""
        label.isVisible = sentence != nil && !reviews.isEmpty
        hint.text = text ?? ""
        hint.isVisible = text != nil
        list.isVisible = !reviews.isEmpty
        guard reviews != shown else { return }
        let isSame = reviews.map(\.withoutSwitch) == shown?.map(\.withoutSwitch)
        shown = reviews
        if !isSame {
            list.replaceChildren(
                with: reviews.map { review in
                    ReviewRow(review) { [weak self] in
                        if let id = review.id { self?.onShow(id, $0) }
                    }
                })
        }
        for (row, review) in zip(list.children, reviews) {
            (row as? ReviewRow)?.show(isShown: review.isShown ?? false)
        }
    }

    /// Turns the switches back to what is saved, after a refusal.
    func restoreSwitches() {
        for (row, review) in zip(list.children, shown ?? []) {
            (row as? ReviewRow)?.show(isShown: review.isShown ?? false)
        }
    }
}

extension ReviewEntry {
    /// The review with its switch off.
    fileprivate var withoutSwitch: ReviewEntry {
        var review = self
        if review.isShown != nil { review.isShown = false }
        return review
    }
}

/// One review, with the switch that shows it on the user's card if it is theirs to show.
@MainActor
private final class ReviewRow: Box {
    private let onCard = Switch()

    init(_ review: ReviewEntry, onShow: @escaping @MainActor (Bool) -> Void) {
        super.init(.down, spacing: 4)
        styled("item").role(.listItem).named(review.title)
        append(Label(review.title).styled("row-title").width(characters: 30))
        if let marks = review.marks { append(Label(marks).width(characters: 30)) }
        if let text = review.text { append(Label("“\(text)”").width(characters: 30)) }
        append(Label(review.line).styled("dim").width(characters: 30))
        guard review.isShown != nil else { return }
        let name = Label(localized("Show it on my card")).expanding(across: true)
        append(Box(.across, spacing: 8, [name, onCard.aligned(.end, .centre)]))
        onCard.named(localized("Show the review by \(review.title) on my card"))
        onCard.onTurn(onShow)
    }

    /// Shows whether the review is on the user's card.
    func show(isShown: Bool) { onCard.isOn = isShown }
}
