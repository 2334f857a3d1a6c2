import Contract
import ControlAPI
import GtkKit
import NodeAPI
import PanelKit

/// The page on which this device becomes one of a person by the code of their other device: one
/// field, then the search, the check code, and what has arrived.
@MainActor
final class JoinView: Box {
    /// Called when the user leaves the page.
    var onLeave: @MainActor () -> Void = {}

    private let node: any NodeConnection
    private let title = Label("").styled("large-title").centred()
    private let sentence = Label().centred().width(characters: 60)
    private let code = Entry().named(localized("Code"))
    private let address = Entry().named(localized("Address"))
    private let fields: Clamp
    private let fault = Label().styled("fault").role(.alert).centred().hidden()
    private let spinner = Spinner().minimum(width: 32, height: 32)
    private let checkCode = CheckCodeBox()
    private let progress = PairingProgress()
    private let leave = Button("")
    private let begin = Button(localized("Join"))
    private var report: DevicePairing?
    /// Whether the fields are shown although the node searches already.
    private var typesAgain = false

    /// The width of the two fields, in pixels.
    private static let fieldsPixelsMax: Int32 = 520

    init(node: any NodeConnection) {
        self.node = node
        let codeTitle = Label(localized("Code")).styled("heading").labels(code)
        let addressTitle = Label(localized("Address")).styled("heading").labels(address)
        fields = Clamp(
            Box(
                .down, spacing: 6,
                [
                    codeTitle, code,
                    Label(localized("Six words, or the text of the QR code")).styled("hint"),
                    addressTitle.margin(across: 0, down: 6), address,
                    Label(localized("Optional: host:port, if it is not found")).styled("hint"),
                ]),
            pixelsMax: Self.fieldsPixelsMax)
        super.init(.down, spacing: 18)
        styled("page").aligned(.fill, .centre)
        for view in [
            title, sentence, fields, spinner.aligned(.centre), checkCode.aligned(.centre), progress,
            fault, Box(.across, spacing: 8, [leave, begin]).aligned(.centre),
        ] { append(view) }
        for entry in [code, address] {
            entry.onChange { [weak self] in self?.changed() }
            entry.onEnter { [weak self] in self?.press() }
        }
        leave.onClick { [weak self] in self?.goBack() }
        begin.onClick { [weak self] in self?.press() }
        update()
    }

    /// Whether the page has something to show: the search, or what is still to arrive.
    static func isWanted(_ report: DevicePairing?) -> Bool {
        switch report?.stage {
        case .searching, .found, .receiving: true
        case .ended: report?.device == nil && report?.endsMs != nil
        default: false
        }
    }

    /// Shows how far the node is; nil before it was asked.
    func show(_ report: DevicePairing?) {
        if report?.stage != self.report?.stage { typesAgain = false }
        self.report = report
        update()
    }

    /// Moves the keyboard focus to the first field, or to a button.
    func focusFirst() {
        if isTyping { code.grabFocus() } else { leave.grabFocus() }
    }

    private var isTyping: Bool { typesAgain || !Self.isWanted(report) }

    private func update() {
        let isTyping = isTyping
        fields.isVisible = isTyping
        spinner.isVisible = !isTyping && report?.stage != .ended
        spinner.isTurning = spinner.isVisible
        leave.text = isTyping ? localized("Back") : localized("Later")
        begin.isVisible = isTyping || report?.stage == .searching || report?.stage == .ended
        begin.text = isTyping ? localized("Join") : localized("Other code…")
        begin.setStyle("suggested-action", on: isTyping)
        begin.isEnabled = !isTyping || !code.text.trimmed.isEmpty
        checkCode.show(isTyping ? nil : report?.checkCode)
        guard !isTyping, let report else {
            progress.isVisible = false
            title.text = localized("Use Waggle on this device too")
            sentence.text = localized(
                "On your other device, open your profile and choose 'Add a device…'. Both need to be "
                    + "on the same network.")
            return
        }
        title.text =
            report.stage == .receiving
            ? localized("This device is yours") : localized("Looking for your other device")
        sentence.text = report.detail.string
        progress.show(report)
    }

    private func changed() {
        say(fault: nil)
        update()
    }

    private func say(fault text: String?) {
        fault.text = text.map { "⚠ \($0)" } ?? ""
        fault.isVisible = text != nil
    }

    private func goBack() {
        guard typesAgain else { return onLeave() }
        typesAgain = false
        update()
    }

    private func press() {
        guard isTyping else {
            typesAgain = true
            update()
            return focusFirst()
        }
        guard begin.isEnabled else { return }
        begin.isEnabled = false
        Task {
            do {
                let place = address.text.trimmed
                let request = DeviceJoining(
                    code: try Text(code.text.trimmed, field: "code"),
                    address: place.isEmpty ? nil : try Text(place, field: "address"))
                _ = try await node.call(PairingCommands.join, request)
                code.text = ""
                say(fault: nil)
            } catch {
                say(fault: CommandFault(error).shown())
                code.grabFocus()
            }
            update()
        }
    }
}

/// The page of someone who has used Waggle before: the two ways back.
@MainActor
final class WaysBackView: Box {
    /// Called when the user's other device is here.
    var onDevice: @MainActor () -> Void = {}
    /// Called when the user has recovery words.
    var onWords: @MainActor () -> Void = {}
    /// Called when the user leaves the page.
    var onBack: @MainActor () -> Void = {}

    private let device = Button(localized("My other device is here")).suggested()

    /// The width of the two ways, in pixels.
    private static let pixelsMax: Int32 = 520

    init() {
        super.init(.down, spacing: 18)
        styled("page").aligned(.fill, .centre)
        let words = Button(localized("I have my nine words"))
        let back = Button(localized("Back"))
        let deviceRow = ActionRow(
            localized("Another device of yours"),
            subtitle: localized("It shows a code. Everything it has comes to this one."))
        let wordsRow = ActionRow(
            localized("Your recovery words"),
            subtitle: localized("If no device is left. What you share with mates comes back."))
        deviceRow.addSuffix(device)
        wordsRow.addSuffix(words)
        for view in [
            Label(localized("You have used Waggle before")).styled("large-title").centred(),
            Clamp(
                RowList([deviceRow, wordsRow]).role(.list).named(localized("Ways back")),
                pixelsMax: Self.pixelsMax),
            back.aligned(.centre),
        ] { append(view) }
        device.onClick { [weak self] in self?.onDevice() }
        words.onClick { [weak self] in self?.onWords() }
        back.onClick { [weak self] in self?.onBack() }
    }

    /// Moves the keyboard focus to the first way.
    func focusFirst() { device.grabFocus() }
}
