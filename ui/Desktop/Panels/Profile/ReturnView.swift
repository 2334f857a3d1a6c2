import Contract
import ControlAPI
import GtkKit
import PanelKit

/// A page on which this device asks others for the person it belongs to: fields, and then the
/// search, as the node reports it.
@MainActor
class ReturnView: Box {
    /// The form in words.
    struct Form {
        var title: String
        var sentence: String
        /// The action that sends the fields.
        var begin: String
        /// The action that leads from the search back to the fields.
        var again: String
    }

    /// The search in words.
    struct Search {
        var title: String
        var sentence: String
        var fault: String?
        /// Whether the node still waits for an answer.
        var isRunning = true
        /// Whether the user may type something else.
        var mayTypeAgain: Bool
    }

    /// Called when the user leaves the page.
    var onLeave: @MainActor () -> Void = {}
    /// Called when the user wants another way than the one that is under way.
    var onOtherWay: @MainActor () -> Void = {}

    private let form: Form
    private let title = Label("").styled("large-title").centred()
    private let sentence = Label().centred().width(characters: 60)
    private let fields: Widget
    private let faultLabel = Label().styled("fault").role(.alert).centred().hidden()
    private let spinner = Spinner().minimum(width: 32, height: 32)
    private let leave = Button("")
    private let otherWay = Button(localized("Another way…"))
    private let begin: Button
    /// Whether the fields are shown although the node searches already.
    private var typesAgain = false

    /// Creates the page.
    /// - Parameters:
    ///   - fields: the widgets of the form, which are hidden during the search.
    ///   - details: more widgets about the search; the subclass shows and hides them.
    init(_ form: Form, fields: Widget, details: [Widget] = []) {
        self.form = form
        self.fields = fields
        begin = Button(form.begin)
        super.init(.down, spacing: 18)
        styled("page").aligned(.fill, .centre)
        for view in [title, sentence, fields, spinner.aligned(.centre)] + details { append(view) }
        append(faultLabel)
        append(Box(.across, spacing: 8, [leave, otherWay, begin]).aligned(.centre))
        leave.onClick { [weak self] in self?.goBack() }
        otherWay.onClick { [weak self] in self?.onOtherWay() }
        begin.onClick { [weak self] in self?.press() }
    }

    /// The search that the node reports; nil if there is none, and the form is shown.
    var search: Search? { nil }

    /// Whether every field has a text that can be sent.
    var isComplete: Bool { false }

    /// Sends the fields to the node.
    func send() async throws {}

    /// Moves the keyboard focus to the first field.
    func focusFields() {}

    /// Moves the keyboard focus to the field that a fault is about.
    func focus(on fault: CommandFault) { focusFields() }

    /// Whether the fields are shown.
    final var isTyping: Bool { typesAgain || search == nil }

    /// Moves the keyboard focus to the first field, or to a button.
    final func focusFirst() {
        if isTyping { focusFields() } else { leave.grabFocus() }
    }

    /// Shows the search, also if the user was about to type again: it has come further.
    final func leaveFields() { typesAgain = false }

    /// Shows what is known now.
    func update() {
        let isTyping = isTyping
        fields.isVisible = isTyping
        spinner.isVisible = !isTyping && search?.isRunning == true
        spinner.isTurning = spinner.isVisible
        leave.text = isTyping ? localized("Back") : localized("Later")
        begin.text = isTyping ? form.begin : form.again
        begin.isVisible = isTyping || search?.mayTypeAgain == true
        otherWay.isVisible = !isTyping && search?.mayTypeAgain == true
        begin.setStyle("suggested-action", on: isTyping)
        begin.isEnabled = !isTyping || isComplete
        guard !isTyping, let search else {
            title.text = form.title
            sentence.text = form.sentence
            return
        }
        title.text = search.title
        sentence.text = search.sentence
        say(fault: search.fault)
    }

    /// Shows the form without the fault of an earlier text.
    final func changed() {
        say(fault: nil)
        update()
    }

    /// Does the page's action, which Enter in the last field does too.
    final func press() {
        guard isTyping else {
            typesAgain = true
            update()
            return focusFields()
        }
        guard begin.isEnabled else { return }
        begin.isEnabled = false
        Task {
            do {
                try await send()
                say(fault: nil)
            } catch {
                let fault = CommandFault(error)
                say(fault: fault.shown())
                focus(on: fault)
            }
            update()
        }
    }

    private func say(fault text: String?) {
        faultLabel.text = text.map { "⚠ \($0)" } ?? ""
        faultLabel.isVisible = text != nil
    }

    private func goBack() {
        guard typesAgain else { return onLeave() }
        typesAgain = false
        update()
    }
}
