import Contract
import ControlAPI
import GtkKit
import NodeAPI
import PanelKit

/// The page of someone who has used Waggle before: the two ways back. If this device waits on one
/// of them, it is also the way out: the user may choose the other one, or begin as a new person.
@MainActor
final class WaysBackView: Box {
    /// Called when the user's other device is here.
    var onDevice: @MainActor () -> Void = {}
    /// Called when the user has recovery words.
    var onWords: @MainActor () -> Void = {}
    /// Called when the user leaves the page.
    var onBack: @MainActor () -> Void = {}

    /// Whether this device waits for its person.
    var isWaiting = false {
        didSet { newRow.isVisible = isWaiting }
    }

    private let node: any NodeConnection
    private let device = Button(localized("My other device is here")).suggested()
    private let begin = Button(localized("Begin as a new person"))
    private let newRow = ActionRow(
        localized("Neither of them"),
        subtitle: localized("Nobody knows you then. You can come back later on another device."))
    private let fault = Label().styled("fault").role(.alert).centred().hidden()

    /// The width of the ways, in pixels.
    private static let pixelsMax: Int32 = 520

    init(node: any NodeConnection) {
        self.node = node
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
        newRow.addSuffix(begin)
        newRow.isVisible = false
        for view in [
            Label(localized("You have used Waggle before")).styled("large-title").centred(),
            Clamp(
                RowList([deviceRow, wordsRow, newRow]).role(.list).named(localized("Ways back")),
                pixelsMax: Self.pixelsMax),
            fault,
            back.aligned(.centre),
        ] { append(view) }
        device.onClick { [weak self] in self?.onDevice() }
        words.onClick { [weak self] in self?.onWords() }
        back.onClick { [weak self] in self?.onBack() }
        begin.onClick { [weak self] in self?.beginAnew() }
    }

    /// Moves the keyboard focus to the first way.
    func focusFirst() {
        fault.isVisible = false
        device.grabFocus()
    }

    private func beginAnew() {
        begin.isEnabled = false
        Task {
            do {
                _ = try await node.call(NodeCommands.cancelRecovery)
            } catch {
                fault.text = "⚠ \(CommandFault(error).shown())"
                fault.isVisible = true
            }
            begin.isEnabled = true
        }
    }
}
