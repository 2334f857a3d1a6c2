import Contract
import GtkKit
import NodeAPI
import PanelKit

/// The sheet that shows a code, by which another device becomes the user's: the code for a camera
/// and for typing, the time left, the check code, and what the new device has received.
@MainActor
final class AddDeviceSheet: Sheet {
    /// Called when the user ends the code, or closes the sheet after it has ended.
    var onLeave: @MainActor (_ endsCode: Bool) -> Void = { _ in }
    /// Called when the user wants a new code.
    var onAgain: @MainActor () -> Void = {}

    private let sentence = Label().width(characters: 44)
    private let square = QRView()
    private let words = Label().styled("recovery-word").centred().width(characters: 24)
        .named(localized("Code"))
    private let timeLeft = Label().styled("dim").centred()
    private let checkCode = CheckCodeBox()
    private let progress = PairingProgress()
    private let again = Button(localized("New code"))
    private let leave = Button(localized("Cancel"))
    private var report: DevicePairing?

    init() {
        super.init(title: localized("Add a device"))
        for view in [
            sentence, square, words, timeLeft, checkCode, progress, faultView,
        ] { append(view) }
        setButtons([again, leave])
        again.onClick { [weak self] in self?.onAgain() }
        leave.onClick { [weak self] in
            guard let self else { return }
            onLeave(isRunning)
        }
        again.isVisible = false
    }

    /// Whether the code is still valid and nobody was added by it.
    private var isRunning: Bool { report?.stage == .open || report?.stage == .proven }

    /// Shows how far the adding is.
    /// - Parameter now: the node's time.
    func show(_ report: DevicePairing, now: Timestamp) {
        self.report = report
        let isOpen = report.stage == .open
        sentence.text = report.detail.string
        square.isVisible = isOpen && report.invitation != nil
        square.show(report.invitation?.string)
        words.isVisible = isOpen
        words.text = report.words.map(\.string).joined(separator: " ")
        checkCode.show(report.checkCode)
        progress.show(report)
        again.isVisible = report.stage == .ended
        leave.text = isRunning ? localized("Cancel") : localized("Done")
        if report.stage == .added, let name = report.name {
            setTitle(localized("\(name.string) is yours now"))
        } else {
            setTitle(localized("Add a device"))
        }
        update(now: now)
    }

    /// Shows the time left.
    func update(now: Timestamp) {
        let end = isRunning ? report?.endsMs : nil
        timeLeft.isVisible = end != nil
        guard let end else { return }
        let left = Countdown(timeLeft: end - now, measuredAt: .zero)
        timeLeft.text = left.text(at: .zero)
    }

    /// Moves the keyboard focus to the button.
    func focusFirst() { leave.grabFocus() }
}

/// The six digits that both devices show.
@MainActor
final class CheckCodeBox: Box {
    private let code = Label().styled("check-code").centred().onOneLine().named(
        localized("Check code"))

    init() {
        super.init(.down, spacing: 4)
        styled("code-box").hidden()
        append(code)
        append(
            Label(localized("The other device shows this too. No need to type it.")).centred()
                .width(characters: 44))
    }

    /// Shows a code; nil hides the box.
    func show(_ code: CheckCode?) {
        isVisible = code != nil
        self.code.text = code.map { "\($0.string.prefix(3)) \($0.string.suffix(3))" } ?? ""
    }
}

/// The part of everything that the new device has received.
@MainActor
final class PairingProgress: Box {
    private let bar = ProgressBar().named(localized("Received"))
    private let text = Label().styled("dim").centred()

    init() {
        super.init(.down, spacing: 4)
        hidden()
        append(bar)
        append(text)
    }

    /// Shows the numbers of a report; hides itself if there are none.
    func show(_ report: DevicePairing) {
        guard let (received, total, numbers) = numbers(report), total > 0 else {
            isVisible = false
            return
        }
        isVisible = true
        bar.fraction = Double(received) / Double(total)
        text.text = numbers
    }

    /// The numbers of the files, which come last, or else those of the changes.
    private func numbers(
        _ report: DevicePairing
    ) -> (received: Int, total: Int, text: String)? {
        if let received = report.filesReceived?.value, let total = report.filesTotal?.value,
            received < total
        {
            return (
                received, total, localized("\(received) of \(total) photos and other files")
            )
        }
        guard let received = report.received?.value, let total = report.total?.value else {
            return nil
        }
        return (received, total, localized("\(received) of \(total) changes"))
    }
}
