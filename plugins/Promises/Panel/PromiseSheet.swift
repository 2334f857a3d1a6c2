import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit
import PromisesAPI

/// The sheet that makes a promise, or changes one and asks more mates to it.
@MainActor
final class PromiseSheet: Sheet {
    /// Called when the sheet is finished; `true` if something was sent.
    var onDone: @MainActor (Bool) -> Void = { _ in }

    private let node: any NodeConnection
    private let clock: PanelClock
    private let title = Entry(width: 20, placeholder: "Dinner")
    private let when = Entry(width: 20, placeholder: "18:30, or 2026-11-21 18:30")
    private let location = Label().width(characters: 44)
    private let move = CheckButton("Meet at the point chosen on the map instead")
    private let locationName = Entry(width: 20, placeholder: "such as “north gate of the park”")
    private let penalty = DropDown(PromiseForm.penalties.map { "\($0) potatoes" })
        .named("What being late costs")
    private let mates = Box(.down, spacing: 2)
    private let hint = Label().styled("hint").width(characters: 44)
    private let make: Button
    private var boxes: [(person: Key, box: CheckButton)] = []
    private var form: PromiseForm

    /// A sheet that shows a form below a text.
    /// - Parameters:
    ///   - mates: The mates who can be asked.
    ///   - clock: The node's time.
    init(
        node: any NodeConnection, form: PromiseForm, words: String, mates: [MateList.Mate],
        clock: PanelClock
    ) {
        self.node = node
        self.clock = clock
        self.form = form
        make = Button(form.original == nil ? "Promise" : "Save").suggested()
        super.init(title: form.original == nil ? "Make a promise" : "Change a promise")
        location.text = words
        self.mates.role(.list).named("With")
        assemble()
        fill()
        offer(mates)
        for entry in [title, when, locationName] {
            entry.onChange { [weak self] in self?.update() }
            entry.onEnter { [weak self] in self?.submit() }
        }
        make.onClick { [weak self] in self?.submit() }
        update()
    }

    private func assemble() {
        let cancel = Button("Cancel") { [weak self] in self?.onDone(false) }
        for view in [
            location, Label("What").labels(title), title, Label("When").labels(when), when, move,
            Label("Name of the location, if it has one").labels(locationName), locationName,
            Label("What being late costs").labels(penalty), penalty, Label("With"), mates, hint,
            faultView, Box(.across, spacing: 8, [cancel, make]).aligned(.end),
        ] { append(view) }
        title.named("What")
        when.named("When")
        locationName.named("Name of the location")
        penalty.onChange { [weak self] in self?.update() }
        move.isVisible = form.original?.chosen != nil
        move.onChange { [weak self] in self?.update() }
    }

    private func fill() {
        title.text = form.title
        when.text = form.when
        locationName.text = form.locationName
        penalty.selection = PromiseForm.penalties.firstIndex(of: form.penalty) ?? 0
    }

    /// Moves the keyboard focus to the first field.
    func focusFirst() { title.grabFocus() }

    private func offer(_ known: [MateList.Mate]) {
        let asked = form.original?.people ?? []
        let others = known.filter { $0.state == .mate && !asked.contains($0.person) }
        boxes = others.map { mate in
            let box = CheckButton("\(mate.profile.nickname?.string ?? "Someone") · \(mate.suffix)")
            box.isOn = form.people.contains(mate.person)
            box.onChange { [weak self] in self?.update() }
            return (mate.person, box)
        }
        mates.replaceChildren(with: boxes.map(\.box))
    }

    private func update() {
        form.title = title.text
        form.when = when.text
        form.locationName = locationName.text
        form.isMoved = move.isOn
        let chosen = penalty.selection
        form.penalty =
            PromiseForm.penalties.indices.contains(chosen) ? PromiseForm.penalties[chosen] : 0
        form.people = boxes.filter(\.box.isOn).map(\.person)
        let fault = form.fault(now: clock.nodeTime)
        hint.text = fault ?? "Whoever takes part sees where you are in the half hour before."
        make.isEnabled = fault == nil
    }

    private func submit() {
        guard make.isEnabled else { return }
        make.isEnabled = false
        Task {
            do {
                try await send()
                onDone(true)
            } catch {
                setFault(CommandFault(error).sentence)
                make.isEnabled = true
            }
        }
    }

    private func send() async throws {
        let now = clock.nodeTime
        guard form.original != nil else {
            _ = try await node.call(PromiseCommands.create, form.making(now: now))
            return
        }
        if let change = try form.change(now: now) {
            _ = try await node.call(PromiseCommands.edit, change)
        }
        if let invitation = form.invitation {
            _ = try await node.call(PromiseCommands.invite, invitation)
        }
    }
}
