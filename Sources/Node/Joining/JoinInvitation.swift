public import Discovery
public import Identity
public import PluginKit
internal import Records

/// A joining code, and what a QR code says beside it: the address of the device that shows it, and
/// its key.
///
/// ```swift
/// JoinInvitation(code, address: Endpoint("192.0.2.7:47100"), device: mine).text
/// // "waggle:join/lusab-babad-gutih-tugad-mudof-sakat?at=192.0.2.7:47100&key=31ab…"
/// ```
public struct JoinInvitation: Sendable {
    /// The code.
    public let code: JoinCode
    /// The address of the device that shows the code; nil to look for it nearby.
    public var address: Endpoint?
    /// The device that shows the code; nil if any device nearby may.
    public var device: DeviceID?

    private static let scheme = "waggle:join/"
    /// The longest text that is read, in bytes of UTF-8.
    static let textBytesMax = 512

    /// Creates an invitation from its parts.
    public init(_ code: JoinCode, address: Endpoint? = nil, device: DeviceID? = nil) {
        (self.code, self.address, self.device) = (code, address, device)
    }

    /// The invitation in one line.
    public var text: String {
        let parts =
            (address.map { ["at=\($0)"] } ?? []) + (device.map { ["key=\($0)"] } ?? [])
        let query = parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
        return JoinInvitation.scheme + code.text + query
    }

    /// Reads the words of a code as a person types them, or the line of a QR code.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the place of the first wrong word, if it can
    ///   be told.
    public init(typed text: String) throws(CommandFault) {
        guard text.utf8.count <= JoinInvitation.textBytesMax else {
            throw .usage(SpellingFault.tooLong(limit: JoinInvitation.textBytesMax).joinSentence)
        }
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        guard line.hasPrefix(JoinInvitation.scheme) else {
            code = try JoinCode.typed(line)
            return
        }
        let parts = line.dropFirst(JoinInvitation.scheme.count)
            .split(separator: "?", maxSplits: 1).map(String.init)
        code = try JoinCode.typed(parts.first ?? "")
        for part in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let value = String(part.drop { $0 != "=" }.dropFirst())
            if part.hasPrefix("at=") { address = Endpoint(value) }
            if part.hasPrefix("key=") { device = DeviceID(value) }
        }
    }
}

extension JoinCode {
    /// Reads a typed code.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the place of the first wrong word, if it can
    ///   be told.
    static func typed(_ text: String) throws(CommandFault) -> JoinCode {
        do throws(SpellingFault) {
            return try JoinCode(parsing: text)
        } catch {
            throw .usage(error.joinSentence, field: error.field)
        }
    }
}

extension SpellingFault {
    /// The fault in a joining code as a sentence. A wrong word is not repeated in it, since errors
    /// are logged.
    var joinSentence: Sentence {
        switch self {
        case .tooLong(let limit):
            "The text has more than \(limit) bytes: type only the six words."
        case .wrongCount(let found):
            Sentence(
                count: found, one: "A code has six words, and there is 1.",
                other: "A code has six words, and there are \(found).")
        case .notAWord(let position, _):
            "Word \(position) of the code is misspelt: each word has five letters, like 'lusab'."
        case .checksumMismatch:
            "This is no code: one of its words is wrong, or two are in the wrong order. Compare them "
                + "with the other device."
        }
    }
}
