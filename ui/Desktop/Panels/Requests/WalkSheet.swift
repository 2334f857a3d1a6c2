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
    private let location = Label().width(characters: 44)
    private let locationName = Entry(width: 30, placeholder: "such as “north gate of the park”")
    private let message = Entry(width: 30, placeholder: "A walk before dinner?")
    private let counter = Label().styled("hint")
    private let send = Button("Ask").suggested()
    private let to: DropDown
    private let mates: [Key]
    private var form: WalkForm

    /// Creates a sheet that asks one of these mates. There is at least one.
    /// - Parameters:
    ///   - names: the name of each mate.
    ///   - point: the location to meet at.
    ///   - name: the name of the location, if it has one.
    init(
        node: any NodeConnection, to mates: [Key], names: [Key: String],
        meeting point: MeetingPoint, locationName name: String? = nil
    ) {
        guard let first = mates.first else { preconditionFailure("A walk needs a mate to ask.") }
        self.node = node
        self.mates = mates
        let shown = mates.map { names[$0] ?? $0.string }
        to = DropDown(shown).named("To")
        form = WalkForm(to: first, meetingPoint: point.coordinate, locationName: name ?? "")
        super.init(title: mates.count == 1 ? "Ask \(shown[0]) for a walk" : "Ask for a walk")
        location.text = "Meet at \(point.text) (\(point.coordinate.text))."
        locationName.text = form.locationName
        assemble()
    }

    private func assemble() {
        let toLabel = Label("To").labels(to)
        for view in [toLabel, to] { view.isVisible = mates.count > 1 }
        let cancel = Button("Cancel") { [weak self] in self?.onDone(false) }
        for view in [
            location, toLabel, to,
            Label("Name of the location, if it has one").labels(locationName),
            locationName,
            Label("Your message").labels(message), message, counter, faultView,
            Box(.across, spacing: 8, [cancel, send]).aligned(.end),
        ] { append(view) }
        locationName.named("Name of the location")
        message.named("Your message")
        message.onChange { [weak self] in self?.update() }
        to.onChange { [weak self] in self?.update() }
        locationName.onChange { [weak self] in self?.update() }
        message.onEnter { [weak self] in self?.submit() }
        send.onClick { [weak self] in self?.submit() }
        update()
    }

    /// Moves the keyboard focus to the mates to choose from, or to the message.
    func focusFirst() {
        if mates.count > 1 { to.grabFocus() } else { message.grabFocus() }
    }

    private func update() {
        if mates.indices.contains(to.selection) { form.to = mates[to.selection] }
        form.message = message.text
        form.locationName = locationName.text
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
