import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit

/// The sheet that asks a mate for a walk: a line, a time and a location.
@MainActor
final class WalkSheet: FormSheet {
    /// Called when the sheet is finished; `true` if a request was sent.
    var onDone: @MainActor (_ isSent: Bool) -> Void = { _ in }
    /// Called when the user wants to choose the location on the map.
    var onChooseLocation: @MainActor () -> Void = {}
    /// The fields as they are now.
    private(set) var form: WalkForm

    private let context: PanelContext
    private let mates: [Key]
    /// The tip for the first request.
    static let tip = Tip(
        "walk",
        localized(
            "A request for now is open for 60 seconds. If your mate is not here, choose a time."))
    private let message = Entry(width: 12, placeholder: localized("A walk before dinner?"))
    private let when: MomentField
    private let waiting = Label().width(characters: 34)
    private let offer = Button("").aligned(.start)
    private lazy var location = LocationField { [weak self] in self?.onChooseLocation() }
    private let locationName = Entry(
        width: 12, placeholder: localized("such as “north gate of the park”"))
    private let to: MatePicker
    private let hint = Label().styled("hint").width(characters: 34)
    private let send = Button(localized("Ask")).suggested()

    /// Creates a sheet that asks one of these mates.
    /// - Parameters:
    ///   - form: the fields as they are shown first.
    ///   - point: the location to meet at; nil asks for one.
    init(_ context: PanelContext, to mates: [Key], form: WalkForm, meeting point: MeetingPoint?) {
        self.context = context
        self.mates = mates
        self.form = form
        let names = context.people.names
        to = MatePicker(
            localized("To"), mates.map { ($0, context.people.name(of: $0)) }, choosing: .one,
            chosen: form.to.map { [$0] } ?? [])
        when = MomentField(
            localized("When"), placeholder: localized("Now"),
            empty: localized("Now, or a time such as “tomorrow 18:00”."),
            clock: context.clock)
        let name = mates.count == 1 ? mates.first.flatMap { names[$0] } : nil
        super.init(
            title: name.map { localized("Ask \($0) for a walk") } ?? localized("Ask for a walk"))
        message.text = form.message
        when.text = form.when
        locationName.text = form.locationName
        assemble()
        show(point)
    }

    private func assemble() {
        message.named(localized("Your message"))
        locationName.named(localized("Name of the location"))
        let toField = field(localized("To"), to)
        toField.isVisible = mates.count > 1
        let cancel = Button(localized("Cancel")) { [weak self] in self?.onDone(false) }
        append(TipView(Self.tip, context))
        for view in [
            toField, field(localized("Your message"), message),
            field(localized("When"), when.line, in: when),
            waiting, offer, field(localized("Where"), location),
            field(localized("Name of the location, if it has one"), locationName),
        ] { append(view) }
        setFooter(hint: hint, buttons: [cancel, send])
        to.onChange = { [weak self] in self?.update() }
        when.onChange { [weak self] in self?.update() }
        for entry in [message, locationName] {
            entry.onChange { [weak self] in self?.update() }
            entry.onEnter { [weak self] in self?.submit() }
        }
        when.onEnter { [weak self] in self?.submit() }
        offer.onClick { [weak self] in
            guard let self else { return }
            when.text = WalkForm.offeredTime(now: context.clock.nodeTime)
        }
        send.onClick { [weak self] in self?.submit() }
    }

    /// Moves the keyboard focus to the mates to choose from, or to the message.
    func focusFirst() {
        if mates.count > 1 { to.focusFirst() } else { message.grabFocus() }
    }

    /// Shows another location to meet at; nil asks for one.
    func show(_ point: MeetingPoint?) {
        form.location = point?.coordinate
        location.show(point)
        update()
    }

    private func update() {
        form.to = to.chosen.first
        form.message = message.text
        form.when = when.text
        form.locationName = locationName.text
        let now = context.clock.nodeTime
        let fault = form.fault(now: now)
        let isBegun = !form.message.isEmpty || form.location == nil
        hint.text =
            fault.flatMap { isBegun ? "⚠ \($0)" : nil }
            ?? localized("\(form.counter) characters, on one line")
        hint.setStyle("fault", on: fault != nil && isBegun)
        send.isEnabled = fault == nil
        showWaiting(now: now)
    }

    /// Shows how long the request waits, and offers a time if the mate is not here.
    private func showWaiting(now: Timestamp) {
        let mate = context.people.mates.first { $0.person == form.to }
        let name = form.to.flatMap { context.people.names[$0] }
        let isHere = mate?.present ?? false
        waiting.text = name.map { form.waiting(name: $0, isHere: isHere) } ?? ""
        waiting.isVisible = name != nil
        waiting.setStyle("fault", on: !isHere && form.when.trimmed.isEmpty)
        offer.text = localized("Ask for \(WalkForm.offeredTime(now: now)) instead")
        offer.isVisible = name != nil && !isHere && form.when.trimmed.isEmpty
    }

    private func submit() {
        guard send.isEnabled else { return }
        send.isEnabled = false
        Task {
            do {
                let request = try form.request(now: context.clock.nodeTime)
                _ = try await context.node.call(WalkCommands.ask, request)
                context.close(Self.tip)
                onDone(true)
            } catch {
                setFault(CommandFault(error).shown())
                send.isEnabled = true
            }
        }
    }
}
