import Contract
import ControlAPI
import GtkKit
import NodeAPI
import PanelKit

/// The page on which this device becomes one of a person by the code of their other device: one
/// field, then the search, the check code, and what has arrived.
@MainActor
final class JoinView: ReturnView {
    private let node: any NodeConnection
    private let code = Entry().named(localized("Code"))
    private let address = Entry().named(localized("Address"))
    private let checkCode = CheckCodeBox()
    private let progress = PairingProgress()
    private var report: DevicePairing?

    /// The width of the two fields, in pixels.
    private static let fieldsPixelsMax: Int32 = 520

    init(node: any NodeConnection) {
        self.node = node
        let codeTitle = Label(localized("Code")).styled("heading").labels(code)
        let addressTitle = Label(localized("Address")).styled("heading").labels(address)
        let fields = Box(
            .down, spacing: 6,
            [
                codeTitle, code,
                Label(localized("Six words, or the text of the QR code")).styled("hint"),
                addressTitle.margin(across: 0, down: 6), address,
                Label(localized("Optional: host:port, if it is not found")).styled("hint"),
            ])
        super.init(
            Form(
                title: localized("Use Waggle on this device too"),
                sentence: localized(
                    "On your other device, open your profile and choose 'Add a device…'. Both need "
                        + "to be on the same network."),
                begin: localized("Connect"), again: localized("Other code…")),
            fields: Clamp(fields, pixelsMax: Self.fieldsPixelsMax),
            details: [checkCode.aligned(.centre), progress])
        for entry in [code, address] {
            entry.onChange { [weak self] in self?.changed() }
            entry.onEnter { [weak self] in self?.press() }
        }
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
        if report?.stage != self.report?.stage { leaveFields() }
        self.report = report
        update()
    }

    override var search: Search? {
        guard let report, Self.isWanted(report) else { return nil }
        return Search(
            title: report.stage == .receiving
                ? localized("This device is yours") : localized("Looking for your other device"),
            sentence: report.detail.string, isRunning: report.stage != .ended,
            mayTypeAgain: report.stage == .searching || report.stage == .ended)
    }

    override var isComplete: Bool { !code.text.trimmed.isEmpty }

    override func send() async throws {
        let address = self.address.text.trimmed
        let request = DeviceJoining(
            code: try Text(code.text.trimmed, field: "code"),
            address: address.isEmpty ? nil : try Text(address, field: "address"))
        _ = try await node.call(PairingCommands.join, request)
        code.text = ""
    }

    override func focusFields() { code.grabFocus() }

    override func update() {
        super.update()
        checkCode.show(isTyping ? nil : report?.checkCode)
        if isTyping { progress.isVisible = false } else if let report { progress.show(report) }
    }
}
