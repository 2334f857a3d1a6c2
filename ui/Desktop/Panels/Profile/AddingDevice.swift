import Contract
import ControlAPI
import GtkKit
import NodeAPI
import PanelKit

/// The adding of a device from this window: opens the sheet with the code, and keeps it up to date.
@MainActor
final class AddingDevice {
    private let context: PanelContext
    private weak var sheet: AddDeviceSheet?
    private var report: DevicePairing?

    init(context: PanelContext) { self.context = context }

    /// Shows the code that is valid now, or a new one.
    func open() {
        let isRunning = report?.stage == .open || report?.stage == .proven
        let sheet = AddDeviceSheet()
        sheet.onAgain = { [weak self] in self?.begin() }
        sheet.onLeave = { [weak self] in self?.leave(endsCode: $0) }
        self.sheet = sheet
        context.present(sheet)
        sheet.focusFirst()
        if isRunning, let report { show(report) } else { begin() }
    }

    /// Shows what the node reports.
    func show(_ report: DevicePairing) {
        self.report = report
        sheet?.show(report, now: context.clock.nodeTime)
    }

    /// Shows the time left.
    func update() { sheet?.update(now: context.clock.nodeTime) }

    private func begin() {
        Task {
            do {
                sheet?.setFault(nil)
                show(try await context.node.call(PairingCommands.add))
            } catch { sheet?.setFault(CommandFault(error).shown()) }
        }
    }

    private func leave(endsCode: Bool) {
        sheet.map(context.dismiss)
        if endsCode { context.perform(PairingCommands.cancel) }
    }
}
