internal import Identity
public import Records

/// The frame types of messages.
enum FrameType: UInt8 {
    case hello = 1
    case have = 2
    case vector = 3
    case push = 4
    case acknowledge = 5
    case none = 6
    case identity = 7
    case ephemeral = 8
    case direct = 9
    case ping = 10
    case pong = 11
    case dialBack = 12
    case dialResult = 13
    case audit = 14
    case bye = 15
    case presence = 16
    case announced = 17
    case recoveryQuestion = 18
    case recoveryAnswer = 19
    case askSpaces = 20
    case spaces = 21
    case joinQuestion = 22
    case joinAnswer = 23
    case joinConsent = 24
    case joined = 25
    case want = 26
    case piece = 27
    case lacking = 28
    case offer = 29
    case ask = 30
    case passed = 31
    case notPassed = 32
    case seek = 33
    case found = 34
}

extension Message {
    /// The frame's type byte.
    public var type: UInt8 { frameType.rawValue }

    private var frameType: FrameType {
        switch self {
        case .hello: .hello
        case .have: .have
        case .vector: .vector
        case .push: .push
        case .acknowledge: .acknowledge
        case .none: .none
        case .identity: .identity
        case .ephemeral: .ephemeral
        case .direct: .direct
        case .ping: .ping
        case .pong: .pong
        case .dialBack: .dialBack
        case .dialResult: .dialResult
        case .audit: .audit
        case .bye: .bye
        case .presence: .presence
        case .announced: .announced
        case .recoveryQuestion: .recoveryQuestion
        case .recoveryAnswer: .recoveryAnswer
        case .askSpaces: .askSpaces
        case .spaces: .spaces
        case .joinQuestion: .joinQuestion
        case .joinAnswer: .joinAnswer
        case .joinConsent: .joinConsent
        case .joined: .joined
        case .want: .want
        case .piece: .piece
        case .lacking: .lacking
        case .offer: .offer
        case .ask: .ask
        case .passed: .passed
        case .notPassed: .notPassed
        case .seek: .seek
        case .found: .found
        }
    }

    /// Encodes the frame's payload.
    /// - Parameter sender: the device at this end of the link; runs of its own logs omit its id.
    public func payload(sender: DeviceID) -> [UInt8] {
        var bytes: [UInt8] = []
        switch self {
        case .hello(let hello): hello.encode(into: &bytes)
        case .have(let have): have.encode(into: &bytes)
        case .vector(let vector), .acknowledge(let vector): vector.encode(into: &bytes)
        case .push(let push):
            bytes.append(varint: push.channel)
            push.run.encode(into: &bytes, sender: sender)
        case .none(let channel): bytes.append(varint: channel)
        case .identity(let persons):
            bytes.append(varint: UInt64(persons.count))
            for person in persons { bytes.append(block: person.encoded) }
        case .ephemeral(let message): message.encode(into: &bytes)
        case .direct(let message):
            bytes.append(text: message.topic)
            bytes.append(varint: message.counter)
            bytes.append(block: message.body)
        case .ping(let nonce): bytes.append(bigEndian: nonce)
        case .pong(let nonce, let wallTime):
            bytes.append(bigEndian: nonce)
            bytes.append(bigEndian: UInt64(wallTime.milliseconds))
        case .dialBack(let nonce, let port):
            bytes.append(bigEndian: nonce)
            bytes.append(bigEndian: port)
        case .dialResult(let nonce, let result):
            bytes.append(bigEndian: nonce)
            bytes.append(result.rawValue)
        case .audit(let audit): audit.encode(into: &bytes)
        case .bye(let reason): bytes.append(reason.rawValue)
        case .presence(let presence): presence.encode(into: &bytes)
        case .announced(let fields): fields.encode(into: &bytes)
        case .recoveryQuestion(let question): question.encode(into: &bytes)
        case .recoveryAnswer(let record), .joined(let record):
            bytes.append(block: record?.encoded ?? [])
        case .askSpaces(let id): id.raw.append(to: &bytes)
        case .spaces(let page): page.encode(into: &bytes)
        case .joinQuestion(let question): question.encode(into: &bytes)
        case .joinAnswer(let answer): JoinAnswer.encode(answer, into: &bytes)
        case .joinConsent(let consent): consent.encode(into: &bytes)
        case .want(let request), .lacking(let request): request.encode(into: &bytes)
        case .piece(let piece): piece.encode(into: &bytes)
        case .offer(let offer): offer.encode(into: &bytes)
        case .ask(let question): question.encode(into: &bytes)
        case .passed(let passed): passed.encode(into: &bytes, sender: sender)
        case .notPassed(let answer): answer.encode(into: &bytes)
        case .seek(let seek): seek.encode(into: &bytes)
        case .found(let found): found.encode(into: &bytes)
        }
        return bytes
    }

    /// Decodes the message of one frame. Bytes after the message are refused.
    /// - Parameter sender: the device at the other end of the link.
    /// - Throws: ``RecordFault``, or ``IdentityFault`` for a person record.
    public init(type: UInt8, payload: [UInt8], sender: DeviceID) throws {
        guard let type = FrameType(rawValue: type) else {
            throw RecordFault.unknownTag("message", UInt64(type))
        }
        var reader = ByteReader(payload)
        self = try Message(type, &reader, sender)
        try reader.finish()
    }

    /// Returns the channel of a PUSH without decoding its run; nil if the frame is no PUSH or does
    /// not begin with a channel.
    public static func channel(ofPush payload: [UInt8], type: UInt8) -> UInt64? {
        guard type == FrameType.push.rawValue else { return nil }
        var reader = ByteReader(payload)
        return try? reader.varint()
    }

    private init(
        _ type: FrameType, _ reader: inout ByteReader, _ sender: DeviceID
    ) throws {
        switch type {
        case .hello: self = .hello(try Hello(from: &reader))
        case .have: self = .have(try Have(from: &reader))
        case .vector: self = .vector(try Vector(from: &reader))
        case .acknowledge: self = .acknowledge(try Vector(from: &reader))
        case .push:
            let channel = try reader.varint()
            self = .push(Push(channel: channel, run: try Run(from: &reader, sender: sender)))
        case .none: self = .none(channel: try reader.varint())
        case .identity: self = .identity(try Message.persons(from: &reader))
        case .ephemeral: self = .ephemeral(try Ephemeral(from: &reader))
        case .direct: self = .direct(try Direct(from: &reader))
        case .ping: self = .ping(nonce: try reader.integer(UInt64.self))
        case .pong:
            let nonce = try reader.integer(UInt64.self)
            self = .pong(nonce: nonce, wallTime: try reader.wallTime())
        case .dialBack:
            let nonce = try reader.integer(UInt64.self)
            self = .dialBack(nonce: nonce, port: try reader.integer(UInt16.self))
        case .dialResult:
            let nonce = try reader.integer(UInt64.self)
            let tag = try reader.byte()
            guard let result = DialResult(rawValue: tag) else {
                throw RecordFault.unknownTag("dial result", UInt64(tag))
            }
            self = .dialResult(nonce: nonce, result)
        case .audit: self = .audit(try Audit(from: &reader))
        case .bye:
            let tag = try reader.byte()
            guard let reason = ByeReason(rawValue: tag) else {
                throw RecordFault.unknownTag("reason", UInt64(tag))
            }
            self = .bye(reason)
        case .presence: self = .presence(try Presence(from: &reader))
        case .announced: self = .announced(try AnnouncedFields(from: &reader))
        case .recoveryQuestion: self = .recoveryQuestion(try RecoveryQuestion(from: &reader))
        case .recoveryAnswer: self = .recoveryAnswer(try Message.record(from: &reader))
        case .askSpaces: self = .askSpaces(after: try reader.identifier(SpaceID.self))
        case .spaces: self = .spaces(try SpacePage(from: &reader))
        case .joinQuestion: self = .joinQuestion(try JoinQuestion(from: &reader))
        case .joinAnswer: self = .joinAnswer(try JoinAnswer.read(from: &reader))
        case .joinConsent: self = .joinConsent(try JoinConsent(from: &reader))
        case .joined: self = .joined(try Message.record(from: &reader))
        case .want: self = .want(try ContentRequest(from: &reader))
        case .piece: self = .piece(try ContentPiece(from: &reader))
        case .lacking: self = .lacking(try ContentRequest(from: &reader))
        case .offer: self = .offer(try Offer(from: &reader))
        case .ask: self = .ask(try OpenQuestion(from: &reader))
        case .passed: self = .passed(try Passed(from: &reader, sender: sender))
        case .notPassed: self = .notPassed(try NotPassed(from: &reader))
        case .seek: self = .seek(try Seek(from: &reader))
        case .found: self = .found(try Found(from: &reader))
        }
    }

    /// Reads a record without checking it, or nil.
    private static func record(from reader: inout ByteReader) throws -> ClaimedPersonRecord? {
        let record = try reader.block("a person record", limit: Limits.helloFrameBytesMax)
        return record.isEmpty ? nil : try ClaimedPersonRecord(record)
    }

    /// Reads records without checking them: most say nothing new, and signatures are dear.
    private static func persons(from reader: inout ByteReader) throws -> [ClaimedPersonRecord] {
        let count = try reader.count("persons", limit: Limits.identityPersonsMax)
        var persons: [ClaimedPersonRecord] = []
        for _ in 0..<count {
            persons.append(try ClaimedPersonRecord(try reader.block("a person record")))
        }
        return persons
    }
}

extension Limits {
    /// The number of person records in one IDENTITY message.
    public static let identityPersonsMax = 256
    /// The number of spaces in one SPACES message.
    public static let pageSpacesMax = 256
    /// The length of a name in PRESENCE, in bytes of UTF-8.
    public static let presenceNameBytesMax = 128
}

extension [UInt8] {
    /// Appends bytes, preceded by their length.
    mutating func append(block: [UInt8]) {
        append(varint: UInt64(block.count))
        append(contentsOf: block)
    }
}

extension ByteReader {
    /// Reads bytes that are preceded by their length.
    mutating func block(
        _ what: String, limit: Int = Limits.messageBytesMax
    ) throws(RecordFault) -> [UInt8] {
        Array(try bytes(count(what, limit: limit)))
    }

    /// Reads milliseconds since 1970. Times outside the range of stamps are refused.
    mutating func wallTime() throws(RecordFault) -> Timestamp {
        guard let time = Timestamp(exactly: try integer(UInt64.self)) else {
            throw .notCanonical("a clock out of range")
        }
        return time
    }
}
