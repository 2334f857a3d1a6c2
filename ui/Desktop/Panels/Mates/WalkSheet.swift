import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit

/// The sheet that asks a mate for a walk: a location and one line.
@MainActor
final class WalkSheet: Sheet {
    /// Called when the sheet is finished; `true` if a request was sent.
    var onDone: @MainActor (Bool) -> Void = { _ in }

    private let node: any NodeConnection
    private let place = Label().width(characters: 44)
    private let placeName = Entry(width: 30, placeholder: "such as “north gate of the park”")
    private let message = Entry(width: 30, placeholder: "A walk before dinner?")
    private let counter = Label().styled("hint")
    private let send = Button("Ask").suggested()
    private var form: WalkForm

    /// Creates a sheet for a mate called `name`, to meet at `point`.
    init(
        node: any NodeConnection, to mate: MateList.Mate, name: String, meeting point: MeetingPoint
    ) {
        self.node = node
        form = WalkForm(to: mate.person, meetingPoint: point.coordinate)
        super.init(title: "Ask \(name) for a walk")
        place.text = "Meet at \(point.words) (\(point.coordinate.text))."
        let cancel = Button("Cancel") { [weak self] in self?.onDone(false) }
        for view in [
            place, Label("Name of the place, if it has one").labels(placeName), placeName,
            Label("Your message").labels(message), message, counter, faultView,
            Box(.across, spacing: 8, [cancel, send]).aligned(.end),
        ] { append(view) }
        placeName.named("Name of the place")
        message.named("Your message")
        message.onChange { [weak self] in self?.update() }
        placeName.onChange { [weak self] in self?.update() }
        message.onEnter { [weak self] in self?.submit() }
        send.onClick { [weak self] in self?.submit() }
        update()
    }

    /// Moves the keyboard focus to the message.
    func focusMessage() {
        message.takeFocus()
    }

    private func update() {
        form.message = message.text
        form.placeName = placeName.text
        let fault = form.message.isEmpty ? nil : form.fault
        counter.text = fault.map { "⚠ \($0)" } ?? "\(form.counter) characters, on one line"
        counter.setStyle("fault", on: fault != nil)
        send.isEnabled = form.fault == nil
    }

    private func submit() {
        guard form.fault == nil, send.isEnabled else { return }
        send.isEnabled = false
        Task {
            do {
                _ = try await node.call(WalkCommands.ask, form.request())
                onDone(true)
            } catch {
                setFault(CommandFault(error).sentence)
                send.isEnabled = true
            }
        }
    }
}
