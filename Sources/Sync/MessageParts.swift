internal import Identity
internal import Records

extension Hello {
    func encode(into bytes: inout [UInt8]) {
        bytes.append(versions.lowerBound)
        bytes.append(versions.upperBound)
        bootID.append(to: &bytes)
        bytes.append(varint: startCount)
        replicaEpoch.append(to: &bytes)
        nonce.append(to: &bytes)
        bytes.append(bigEndian: UInt64(wallTime.milliseconds))
        bytes.append(bigEndian: port)
        bytes.append(varint: frameBytesMax)
        bytes.append(block: person.encoded)
    }

    init(from reader: inout ByteReader) throws {
        let low = try reader.byte()
        let high = try reader.byte()
        guard low <= high else { throw RecordFault.notCanonical("a range of versions") }
        versions = low...high
        bootID = try reader.bytes16()
        startCount = try reader.varint()
        replicaEpoch = try reader.bytes16()
        nonce = try reader.bytes16()
        wallTime = try reader.wallTime()
        port = try reader.integer(UInt16.self)
        frameBytesMax = try reader.varint()
        let record = try reader.block("a person record", limit: Limits.helloFrameBytesMax)
        person = try ClaimedPersonRecord(record)
    }
}

extension Have {
    func encode(into bytes: inout [UInt8]) {
        bytes.append(round.rawValue)
        bytes.append(varint: UInt64(entries.count))
        for entry in entries {
            bytes.append(bigEndian: entry.token.rawValue)
            entry.digest.append(to: &bytes)
        }
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        let tag = try reader.byte()
        guard let round = Round(rawValue: tag) else { throw .unknownTag("round", UInt64(tag)) }
        self.round = round
        let count = try reader.count("spaces", limit: Limits.linkSpacesMax)
        entries = []
        for _ in 0..<count {
            let token = Token(rawValue: try reader.integer(UInt64.self))
            entries.append(Entry(token: token, digest: try reader.bytes16()))
        }
    }
}

extension Vector {
    func encode(into bytes: inout [UInt8]) {
        bytes.append(varint: channel)
        bytes.append(varint: UInt64(logs.count))
        for reach in logs {
            reach.log.device.raw.append(to: &bytes)
            reach.log.branch.raw.append(to: &bytes)
            bytes.append(varint: reach.low)
            bytes.append(varint: reach.high)
            bytes.append(bigEndian: reach.prefix)
        }
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        channel = try reader.varint()
        let count = try reader.count("logs", limit: Limits.vectorLogsMax)
        logs = []
        for _ in 0..<count {
            let reach = try Reach(from: &reader)
            if let last = logs.last, !(last.log < reach.log) {
                throw .notCanonical("a vector's order")
            }
            logs.append(reach)
        }
    }
}

extension Vector.Reach {
    init(from reader: inout ByteReader) throws(RecordFault) {
        log = try reader.logName()
        low = try reader.varint()
        high = try reader.varint()
        guard low >= 1, low <= high, high <= Limits.batchNumberMax else {
            throw .notCanonical("the reach of a log")
        }
        prefix = try reader.integer(UInt64.self)
    }
}

extension Ephemeral {
    func encode(into bytes: inout [UInt8]) {
        bytes.append(varint: channel)
        bytes.append(text: topic)
        bytes.append(varint: counter)
        bytes.append(varint: expiry.wireMilliseconds)
        bytes.append(block: body)
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        channel = try reader.varint()
        topic = try reader.text("a topic", limit: Limits.topicBytesMax)
        counter = try reader.varint()
        expiry = .milliseconds(try reader.varint())
        body = try reader.block("a message")
    }
}

extension Duration {
    /// The whole milliseconds as a message has them. A peer may send any number of 64 bits, and a
    /// duration holds each of them exactly.
    fileprivate var wireMilliseconds: UInt64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLong) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1000)
        let (sum, isOver) = whole.addingReportingOverflow(
            UInt64(clamping: attoseconds / 1_000_000_000_000_000))
        return isTooLong || isOver ? .max : sum
    }
}

extension Direct {
    init(from reader: inout ByteReader) throws(RecordFault) {
        topic = try reader.text("a topic", limit: Limits.topicBytesMax)
        counter = try reader.varint()
        body = try reader.block("a message")
    }
}

extension Presence {
    private static let dropOpenFlag: UInt8 = 1
    private static let seekingFlag: UInt8 = 2

    func encode(into bytes: inout [UInt8]) {
        bytes.append((dropOpen ? Self.dropOpenFlag : 0) | (seeking ? Self.seekingFlag : 0))
        bytes.append(text: nickname)
        bytes.append(text: dogName)
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        let flags = try reader.byte()
        guard flags & ~(Self.dropOpenFlag | Self.seekingFlag) == 0 else {
            throw .unknownTag("presence flag", UInt64(flags))
        }
        dropOpen = flags & Self.dropOpenFlag != 0
        seeking = flags & Self.seekingFlag != 0
        nickname = try reader.text("a nickname", limit: Limits.presenceNameBytesMax)
        dogName = try reader.text("a dog's name", limit: Limits.presenceNameBytesMax)
    }
}

extension AnnouncedFields {
    func encode(into bytes: inout [UInt8]) {
        bytes.append(varint: UInt64(keys.count))
        for key in keys {
            bytes.append(text: key)
            bytes.append(block: self[key] ?? [])
        }
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        self.init()
        let count = try reader.count("announced fields", limit: Limits.announcedFieldsMax)
        var last = ""
        for _ in 0..<count {
            let key = try reader.text("a field's key", limit: Limits.announcedKeyLettersMax)
            guard AnnouncedFields.isKey(key), last < key else {
                throw .notCanonical("the order of announced fields")
            }
            let bytes = try reader.block(
                "an announced field", limit: Limits.announcedFieldBytesMax)
            guard !bytes.isEmpty else { throw .notCanonical("an announced field") }
            guard insert(key, bytes) else {
                throw .overLimit("announced fields", limit: Limits.announcedBytesMax)
            }
            last = key
        }
    }
}

extension Audit {
    func encode(into bytes: inout [UInt8]) {
        bytes.append(varint: channel)
        log.device.raw.append(to: &bytes)
        log.branch.raw.append(to: &bytes)
        bytes.append(varint: from)
        bytes.append(varint: through)
        hash.append(to: &bytes)
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        channel = try reader.varint()
        log = try reader.logName()
        from = try reader.varint()
        through = try reader.varint()
        guard from >= 1, from <= through, through <= Limits.batchNumberMax else {
            throw .notCanonical("the range of an audit")
        }
        guard let hash = Bytes32(try reader.bytes(32)) else { throw .truncated }
        self.hash = hash
    }
}

extension ByteReader {
    mutating func bytes16() throws(RecordFault) -> Bytes16 {
        guard let value = Bytes16(try bytes(16)) else { throw .truncated }
        return value
    }

    mutating func logName() throws(RecordFault) -> LogName {
        let device = try identifier(DeviceID.self)
        return LogName(device: device, branch: try identifier(BranchName.self))
    }
}
