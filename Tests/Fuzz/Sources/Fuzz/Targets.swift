import ChatAPI
import Contract
import ControlAPI
import FeaturesAPI
import Foundation
import Identity
import Links
import NIOCore
import NodeAPI
import PromisesAPI
import ProximityDrop
import ProximityDropAPI
import Records
import Replica
import Sync

@testable import Discovery
@testable import Features
@testable import GPSD
@testable import Location
@testable import PeerLink
@testable import Promises

extension FuzzTarget {
    /// Every target, by the format that it decodes.
    static let all: [FuzzTarget] = [
        frame, message, body, header, person, entry, announcement, drop, card, position, location,
        request, json, gpx, gpsd, backup,
    ]

    private static let sender = DeviceID(bytes: [UInt8](repeating: 7, count: 32))

    /// A stream gives the same frames no matter how it is divided into pieces.
    private static let frame = FuzzTarget("frame") { bytes in
        let whole = try frames(in: [bytes])
        let half = bytes.count / 2
        let pieces = try frames(in: [Array(bytes[..<half]), Array(bytes[half...])])
        try require(whole == pieces, "pieces give other frames")
    }

    private static func frames(in pieces: [[UInt8]]) throws -> [[UInt8]] {
        var decoder = FrameDecoder()
        var frames: [[UInt8]] = []
        for piece in pieces {
            var buffer = ByteBuffer(bytes: piece)
            while let frame = try decoder.next(from: &buffer) {
                frames.append([frame.type] + frame.payload)
            }
        }
        return frames
    }

    /// The first byte is the type. A message has one encoding.
    private static let message = FuzzTarget("message", allocating: (2048, 1 << 20)) { bytes in
        guard let type = bytes.first, let sender else { return }
        let payload = Array(bytes.dropFirst())
        let message = try Message(type: type, payload: payload, sender: sender)
        try require(message.payload(sender: sender) == payload, "a message has two encodings")
    }

    private static let body = FuzzTarget("body") { bytes in
        try require(try BatchContent(decoding: bytes).encoded == bytes, "a body has two encodings")
    }

    private static let header = FuzzTarget("header") { bytes in
        try require(try BatchHeader(decoding: bytes).encoded == bytes, "a header has two encodings")
    }

    private static let person = FuzzTarget("person", allocating: (2048, 1 << 20)) { bytes in
        let record = try PersonRecord(decoding: bytes)
        try require(record.encoded == bytes, "a record has two encodings")
    }

    private static let entry = FuzzTarget("entry") { bytes in
        try require(try DeviceEntry(decoding: bytes).encoded == bytes, "an entry has two encodings")
    }

    /// The strings are separated by zero bytes. A decoded announcement is encoded in the same way.
    private static let announcement = FuzzTarget("announcement") { bytes in
        let strings = bytes.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
        let announcement = try Announcement(text: strings, port: 47_100)
        let again = try Announcement(text: announcement.text, port: 47_100)
        try require(announcement == again, "an announcement changes when it is announced")
    }

    private static let drop = FuzzTarget("drop") { bytes in
        try require(
            try DropMessage(decoding: bytes).encoded == bytes, "a message has two encodings")
    }

    /// Fields of newer versions are skipped, so the encoding may be shorter.
    private static let card = FuzzTarget("card") { bytes in
        let card = try DropCard(decoding: bytes)
        try require(try DropCard(decoding: card.encoded) == card, "a card changes")
    }

    private static let position = FuzzTarget("position") { bytes in
        guard let message = PositionMessage(decoding: bytes) else { return }
        try require(
            PositionMessage(decoding: message.encoded)?.encoded == message.encoded,
            "a position changes")
    }

    private static let location = FuzzTarget("location") { bytes in
        guard let message = LocationMessage(decoding: bytes) else { return }
        try require(
            LocationMessage(decoding: message.encoded)?.encoded == message.encoded,
            "a location changes")
    }

    /// The first byte chooses the command, the rest is its JSON. A typed request says the same.
    private static let request = FuzzTarget("request", allocating: (4096, 1 << 20)) { bytes in
        guard let first = bytes.first else { return }
        let command = requests[Int(first) % requests.count]
        guard case .object(let members) = try JSONValue(parsing: bytes.dropFirst()) else { return }
        try command(members)
    }

    private static func request<Request, Answer>(
        _ command: Command<Request, Answer>
    ) -> @Sendable ([String: JSONValue]) throws -> Void {
        { members in
            let arguments = try Arguments(checking: members, against: command.declaration)
            let request: Request
            do {
                request = try arguments.request(as: Request.self)
            } catch {
                throw BrokenRule(rule: "the schema admits what the type refuses: \(error)")
            }
            let again = try Arguments(request).request(as: Request.self)
            try require(request == again, "a request changes")
        }
    }

    private static let requests: [@Sendable ([String: JSONValue]) throws -> Void] = [
        request(NodeCommands.addPeer), request(NodeCommands.verify), request(NodeCommands.repair),
        request(GroupCommands.create), request(GroupCommands.invite), request(GroupCommands.note),
        request(LocationCommands.set), request(LocationCommands.source),
        request(WalkCommands.ask), request(ProfileCommands.edit), request(DropCommands.start),
        request(ChatCommands.send), request(ChatCommands.page), request(ChatCommands.search),
        request(PromiseCommands.create),
    ]

    /// A parsed value is written as text, and that text is parsed and written as the same text.
    private static let json = FuzzTarget("json", allocating: (4096, 1 << 16)) { bytes in
        let text = try JSONValue(parsing: bytes).jsonText()
        try require(try JSONValue(parsing: text.utf8).jsonText() == text, "a text changes")
    }

    private static let gpx = FuzzTarget("gpx", allocating: (4096, 1 << 20)) { bytes in
        _ = try GPXTrack(gpx: bytes)
    }

    private static let gpsd = FuzzTarget("gpsd", allocating: (4096, 1 << 20)) { bytes in
        _ = try GPSDReport(line: bytes)
    }

    /// Any invalid file is refused with a sentence.
    private static let backup = FuzzTarget("backup", allocating: (4096, 1 << 22)) { bytes in
        let path = "/dev/shm/waggle-fuzz.\(ProcessInfo.processInfo.processIdentifier)"
        try Data(bytes).write(to: URL(filePath: path))
        _ = try BackupFile(path: path).identity()
    }
}
