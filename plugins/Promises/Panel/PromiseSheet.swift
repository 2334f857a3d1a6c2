import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit
import PromisesAPI

/// The sheet that makes a promise, or changes one and asks more mates to it.
@MainActor
final class PromiseSheet: FormSheet {
    /// Called when the sheet is finished; `true` if something was sent.
    var onDone: @MainActor (_ isSent: Bool) -> Void = { _ in }
    /// Called when the user wants to choose the location on the map.
    var onChooseLocation: @MainActor () -> Void = {}
    /// The fields as they are now.
    private(set) var form: PromiseForm

    private let context: PanelContext
    /// The tip for the first promise.
    static let tip = Tip(
        "promise",
        localized(
            "Participants see where you are only while the promise is on. You can stop this "
                + "at any time."))
    private let title = Entry(width: 12, placeholder: localized("Dinner"))
    private let when: MomentField
    private lazy var location = LocationField { [weak self] in self?.onChooseLocation() }
    private let locationName = Entry(
        width: 12, placeholder: localized("such as “north gate of the park”"))
    private let penalty = DropDown(PromiseForm.penalties.map { localized(PotatoText.count($0)) })
        .named(localized("What being late costs")).aligned(.start)
    private let mates: MatePicker
    private let hint = Label().styled("hint").width(characters: 34)
    private let make: Button

    /// Creates a sheet.
    /// - Parameters:
    ///   - form: the fields as they are shown first.
    ///   - point: the location to meet at; nil asks for one.
    init(_ context: PanelContext, form: PromiseForm, meeting point: MeetingPoint?) {
        self.context = context
        self.form = form
        make = Button(form.original == nil ? localized("Promise") : localized("Save")).suggested()
        when = MomentField(
            localized("When"), placeholder: localized("tomorrow 18:00"),
            empty: localized("Such as “18:30” or “Fri 19:00”."),
            clock: context.clock)
        let asked = form.original?.people ?? []
        let names = context.people.names
        let others = context.people.mates.filter { $0.state == .mate && !asked.contains($0.person) }
        mates = MatePicker(
            localized("With"),
            others.map { ($0.person, names[$0.person] ?? $0.displayName) },
            choosing: .several, chosen: form.people)
        super.init(
            title: form.original == nil
                ? localized("Make a promise") : localized("Change a promise"))
        fill()
        assemble(hasOthers: !others.isEmpty)
        show(point)
    }

    private func assemble(hasOthers: Bool) {
        title.named(localized("What"))
        locationName.named(localized("Name of the location"))
        let told = Label(localized("Participants are told what has changed.")).styled("hint")
            .width(characters: 34)
        told.isVisible = form.original != nil
        let with = field(
            form.original == nil ? localized("With") : localized("Ask more mates"), mates)
        with.isVisible = hasOthers
        let cancel = Button(localized("Cancel")) { [weak self] in self?.onDone(false) }
        if form.original == nil { append(TipView(Self.tip, context)) }
        for view in [
            told, field(localized("What"), title), field(localized("When"), when.line, in: when),
            with,
            field(localized("Where"), location),
            field(localized("Name of the location, if it has one"), locationName),
            field(localized("What being late costs"), penalty),
        ] { append(view) }
        setFooter(hint: hint, buttons: [cancel, make])
        for entry in [title, locationName] {
            entry.onChange { [weak self] in self?.update() }
            entry.onEnter { [weak self] in self?.submit() }
        }
        when.onChange { [weak self] in self?.update() }
        when.onEnter { [weak self] in self?.submit() }
        penalty.onChange { [weak self] in self?.update() }
        mates.onChange = { [weak self] in self?.update() }
        make.onClick { [weak self] in self?.submit() }
    }

    private func fill() {
        title.text = form.title
        when.text = form.when
        locationName.text = form.locationName
        penalty.selection = PromiseForm.penalties.firstIndex(of: form.penalty) ?? 0
    }

    /// Moves the keyboard focus to the first field.
    func focusFirst() { title.grabFocus() }

    /// Shows another location to meet at; nil asks for one.
    func show(_ point: MeetingPoint?) {
        form.location = point?.coordinate
        location.show(point)
        update()
    }

    private func update() {
        form.title = title.text
        form.when = when.text
        form.locationName = locationName.text
        let chosen = penalty.selection
        form.penalty =
            PromiseForm.penalties.indices.contains(chosen) ? PromiseForm.penalties[chosen] : 0
        form.people = mates.chosen
        let now = context.clock.nodeTime
        let fault = form.fault(now: now)
        hint.text =
            fault
            ?? localized("Participants see each other's location from 30 minutes before.")
        // The field of the time shows its own fault.
        hint.isVisible =
            form.title.trimmed.isEmpty || !TypedMoment(form.when, now: now).isFault
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
                setFault(CommandFault(error).shown())
                make.isEnabled = true
            }
        }
    }

    private func send() async throws {
        let (now, node) = (context.clock.nodeTime, context.node)
        guard form.original != nil else {
            _ = try await node.call(PromiseCommands.create, form.making(now: now))
            return context.close(Self.tip)
        }
        if let change = try form.change(now: now) {
            _ = try await node.call(PromiseCommands.edit, change)
        }
        if let invitation = form.invitation {
            _ = try await node.call(PromiseCommands.invite, invitation)
        }
    }
}
