import Contract
import PanelKit

/// A picture that the user chose to send: a file, or the content of the clipboard.
enum ChatPhotoPick: Equatable, Sendable {
    case file(path: String)
    case pasted([UInt8])

    /// The most pictures that are sent at once.
    static let countMax = 10

    /// The name that a sentence about it has.
    var name: String {
        switch self {
        case .file(let path): path.split(separator: "/").last.map(String.init) ?? path
        case .pasted: localized("the pasted picture")
        }
    }

    /// Calls a function with the path of its file.
    func withFile(
        _ action: @Sendable (_ path: String) async throws -> Void
    ) async throws {
        switch self {
        case .file(let path): try await action(path)
        case .pasted(let bytes): try await PastedPicture.with(bytes, action)
        }
    }
}

/// Several pictures that are being sent, in their order.
struct ChatPhotoProgress: Equatable, Sendable {
    private(set) var total = 0
    private(set) var done = 0

    /// Adds pictures that are to be sent.
    mutating func add(_ count: Int) { total += count }

    /// Counts a picture as sent or failed. After the last one, it begins anew.
    mutating func finishOne() {
        done += 1
        if done >= total { self = ChatPhotoProgress() }
    }

    /// The progress in words; nil if nothing is under way.
    var text: String? {
        guard total > 0 else { return nil }
        return total == 1
            ? localized("Sending a photo…") : localized("Sending photo \(done + 1) of \(total)…")
    }
}
