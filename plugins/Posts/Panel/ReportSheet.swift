import Contract
import ControlAPI
import GtkKit
import PanelKit
import PostsAPI

/// The sheet that reports a post, which only the user's own devices learn.
@MainActor
final class ReportSheet: Sheet {
    /// Called when the sheet is finished, with the request; nil if the user cancelled.
    var onDone: @MainActor (ReportPost?) -> Void = { _ in }

    private let id: RecordKey
    private let reason = DropDown(PostReportReason.allCases.map(PostWords.name))
        .named(localized("Reason"))
    private let text = Entry(width: 20).named(localized("Note"))

    /// Creates a sheet about a post.
    init(_ id: RecordKey) {
        self.id = id
        super.init(title: localized("Report this post?"))
        append(
            Label(
                localized(
                    "It is hidden from you. Waggle has no moderators, so the report stays on your "
                        + "devices.")
            ).width(characters: 36))
        append(
            Box(
                .down, spacing: 4,
                [Label(localized("Reason")).styled("field-title").labels(reason), reason]))
        append(
            Box(
                .down, spacing: 4,
                [Label(localized("Note")).styled("field-title").labels(text), text]))
        append(faultView)
        let report = Button(localized("Report")).destructive()
        setButtons([Button(localized("Cancel")) { [weak self] in self?.onDone(nil) }, report])
        text.onChange { [weak self] in self?.setFault(nil) }
        text.onEnter { [weak self] in self?.submit() }
        report.onClick { [weak self] in self?.submit() }
    }

    /// Moves the keyboard focus to the reason.
    func focusFirst() { reason.grabFocus() }

    private func submit() {
        let reasons = PostReportReason.allCases
        guard reasons.indices.contains(reason.selection) else { return }
        do {
            let words = text.text.trimmed
            onDone(
                ReportPost(
                    id: RecordPrefix(id), reason: reasons[reason.selection],
                    text: try words.isEmpty ? nil : ReportText(words, field: "text")))
        } catch {
            setFault(CommandFault(error).shown(labels: ["text": localized("The note")]))
        }
    }
}
