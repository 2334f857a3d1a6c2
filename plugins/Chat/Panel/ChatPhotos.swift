import ChatAPI
import Contract
import ControlAPI
import GtkKit
import PanelKit

/// The photos that the user sends: asks for files, sends one after the other, and remembers for
/// each room how far that is and which could not be sent.
@MainActor
final class ChatPhotos {
    private let context: PanelContext
    private let opener = PictureOpener()
    private var progress: [Key: ChatPhotoProgress] = [:]
    private var faults: [Key: [String]] = [:]

    /// Creates the photos of a panel.
    init(_ context: PanelContext) { self.context = context }

    /// Asks for pictures; `action` receives them.
    func choose(_ action: @escaping @MainActor ([ChatPhotoPick]) -> Void) {
        opener.ask(
            title: localized("Send photos"), kind: localized("Pictures"), several: true
        ) { action($0.map { .file(path: $0) }) }
    }

    /// Begins to send pictures to a room, and returns those to be sent: at most
    /// ``ChatPhotoPick/countMax``. The faults of those before are forgotten.
    func begin(_ picks: [ChatPhotoPick], in room: Key) -> [ChatPhotoPick] {
        let chosen = Array(picks.prefix(ChatPhotoPick.countMax))
        faults[room] = []
        if chosen.count < picks.count {
            faults[room]?.append(
                localized(
                    "At most \(ChatPhotoPick.countMax) photos are sent at once. Send the others "
                        + "afterwards."))
        }
        progress[room, default: ChatPhotoProgress()].add(chosen.count)
        return chosen
    }

    /// Sends one picture, in a message of its own.
    func send(_ pick: ChatPhotoPick, in room: Key) async {
        do {
            try await pick.withFile { [node = context.node] path in
                _ = try await node.call(
                    ChatCommands.send,
                    SendMessage(room: NameOrKey(room), photo: FilePath(path)))
            }
        } catch let fault as PhotoFault {
            record(localized(fault.sentence), pick, room)
        } catch {
            record(CommandFault(error).shown(), pick, room)
        }
        progress[room]?.finishOne()
        if progress[room]?.text == nil { progress[room] = nil }
    }

    private func record(_ reason: String, _ pick: ChatPhotoPick, _ room: Key) {
        faults[room, default: []].append(localized("Could not send \(pick.name): \(reason)"))
    }

    /// Returns what is under way in a room; nil if nothing is.
    func progress(in room: Key) -> String? { progress[room]?.text }

    /// Returns what could not be sent to a room; nil if all was.
    func faults(in room: Key) -> String? {
        let lines = faults[room] ?? []
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}
