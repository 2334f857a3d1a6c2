import CFuzzer
import Links
import NIOCore
import Records
import Sync

@testable import Discovery
@testable import Identity
@testable import PeerLink

// What peers send before and between the messages of plugins.
extension FuzzTarget {
    /// The first device of the vectors in docs/protocol.md, so that their runs are its own.
    private static let sender = DeviceKey(seed: 1).id

    /// A stream of frames gives the same frames in whatever pieces it comes.
    static let frame = FuzzTarget("frame") { bytes in
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

    /// The first byte is the type. A message has one encoding, and queues count the memory that it
    /// takes. No signature is checked while one is decoded.
    static let message = FuzzTarget("message", costing: .large) { bytes in
        guard let type = bytes.first else { return }
        let payload = Array(bytes.dropFirst())
        let decode = { try Message(type: type, payload: payload, sender: sender) }
        try require(try decode().payload(sender: sender) == payload, "a message has two encodings")
        let (message, heldBytes) = try weighed(decode)
        try require(
            heldBytes <= 2 * message.memoryBytes + heldBytesBesidesMax,
            "it keeps \(heldBytes) bytes and counts as \(message.memoryBytes): type \(type)")
        try require(costs_so_far().checks == 0, "a signature is checked too early")
    }

    /// The bytes that a decoded message may keep besides what it is counted as, twice.
    private static let heldBytesBesidesMax = 1024

    /// A run has one encoding, its bodies are those that other replicas hash, and it costs one
    /// check.
    static let run = FuzzTarget("run", costing: .large.checking(1)) { bytes in
        var reader = ByteReader(bytes)
        let run = try Run(from: &reader, sender: sender)
        try reader.finish()
        var again: [UInt8] = []
        run.encode(into: &again, sender: sender)
        try require(again == bytes, "a run has two encodings")
        for batch in run.batches {
            try require(
                try BatchContent(decoding: batch.content.encoded) == batch.content,
                "a body of a run is not one of a log")
        }
        guard let space = SpaceID(bytes: [UInt8](repeating: 9, count: 32)) else { return }
        _ = try run.check(in: space, after: .none)
    }

    static let body = FuzzTarget("body") { bytes in
        try require(try BatchContent(decoding: bytes).encoded == bytes, "a body has two encodings")
    }

    static let header = FuzzTarget("header") { bytes in
        try require(try BatchHeader(decoding: bytes).encoded == bytes, "a header has two encodings")
    }

    /// The signatures of a full record: the founding, and two of each entry.
    private static let recordChecksMax = 1 + 2 * Limits.personDevicesMax

    static let person = FuzzTarget("person", costing: .large.checking(recordChecksMax)) { bytes in
        let record = try PersonRecord(decoding: bytes)
        let isRooted = record.entries.count == (try PersonRecord.parts(bytes).2.count)
        try require(
            record.encoded == bytes || !isRooted, "a record has two encodings")
        for device in record.devices {
            let shown = record.showing(only: device)
            try require(shown.devices.contains(device), "what is shown does not list the device")
        }
    }

    /// A record's claims are compared without any check of a signature, and mean the same in
    /// whatever order two parts of it come.
    static let claim = FuzzTarget("claim", costing: .large) { bytes in
        let news = try ClaimedPersonRecord(bytes).news(to: nil)
        try require(news.checksCount <= recordChecksMax, "\(news.checksCount) checks")
        let (founding, signature, entries) = try PersonRecord.parts(bytes)
        let whole = PersonRecord(founding, signature, checked: entries)
        try require(
            try ClaimedPersonRecord(whole).news(to: whole).isEmpty, "what is known is news")
        let half = entries.count / 2
        let first = PersonRecord(founding, signature, checked: Array(entries[..<half]))
        let second = PersonRecord(founding, signature, checked: Array(entries[half...]))
        let merged = try first.merging(second)
        try require(try second.merging(first) == merged, "the order of arrival matters")
        try require(try merged.merging(first) == merged, "a repetition matters")
        try require(try PersonRecord(stored: whole.encoded) == whole, "a stored record changes")
    }

    static let entry = FuzzTarget("entry") { bytes in
        try require(try DeviceEntry(decoding: bytes).encoded == bytes, "an entry has two encodings")
    }

    /// The strings are separated by zero bytes. What is understood is announced in the same way.
    static let announcement = FuzzTarget("announcement") { bytes in
        let strings = bytes.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
        let announcement = try Announcement(text: strings, port: 47_100)
        let again = try Announcement(text: announcement.text, port: 47_100)
        try require(announcement == again, "an announcement changes when it is announced")
    }
}

extension DeviceKey {
    /// A key whose seed repeats one byte.
    fileprivate init(seed: UInt8) {
        do {
            try self.init(rawRepresentation: [UInt8](repeating: seed, count: 32))
        } catch {
            preconditionFailure("32 bytes are a seed: \(error)")
        }
    }
}
