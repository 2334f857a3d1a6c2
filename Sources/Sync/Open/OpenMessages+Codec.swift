internal import Identity
internal import Records

extension Offer {
    func encode(into bytes: inout [UInt8]) {
        bytes.append(varint: channel)
        digest.append(to: &bytes)
        bytes.append(part.rawValue)
        bytes.append(varint: UInt64(logs.count))
        for offered in logs {
            offered.log.encode(into: &bytes)
            bytes.append(varint: offered.low)
            bytes.append(varint: offered.high)
            bytes.append(bigEndian: offered.prefix)
        }
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        channel = try reader.varint()
        digest = try reader.bytes16()
        let tag = try reader.byte()
        guard let part = Part(rawValue: tag) else { throw .unknownTag("offer", UInt64(tag)) }
        self.part = part
        let count = try reader.count("logs", limit: Limits.vectorLogsMax)
        // A page that names nothing would be asked for again and again.
        guard count > 0 || part != .page else { throw .notCanonical("an empty page") }
        logs = []
        for _ in 0..<count {
            let reach = try Vector.Reach(from: &reader)
            if let last = logs.last, !(last.log < reach.log) {
                throw .notCanonical("an offer's order")
            }
            logs.append(
                OfferedLog(
                    log: reach.log, low: reach.low, high: reach.high, prefix: reach.prefix))
        }
    }
}

/// The first byte of a question after its channel.
private enum QuestionTag {
    static let firstPage: UInt8 = 0
    static let pageAfter: UInt8 = 1
    static let after: UInt8 = 2
    static let afterWithRecord: UInt8 = 3
    static let before: UInt8 = 4
}

extension OpenQuestion {
    func encode(into bytes: inout [UInt8]) {
        bytes.append(varint: channel)
        switch subject {
        case .page(nil): bytes.append(QuestionTag.firstPage)
        case .page(let log?):
            bytes.append(QuestionTag.pageAfter)
            log.encode(into: &bytes)
        case .piece(let ask, let isRecordWanted):
            ask.encode(into: &bytes, isRecordWanted: isRecordWanted)
        }
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        channel = try reader.varint()
        let tag = try reader.byte()
        switch tag {
        case QuestionTag.firstPage: subject = .page(after: nil)
        case QuestionTag.pageAfter: subject = .page(after: try reader.logName())
        case QuestionTag.after...QuestionTag.before:
            subject = .piece(
                try LogAsk(tag, from: &reader), isRecordWanted: tag == QuestionTag.afterWithRecord)
        default: throw .unknownTag("question", UInt64(tag))
        }
    }
}

extension LogAsk {
    fileprivate func encode(into bytes: inout [UInt8], isRecordWanted: Bool) {
        switch position {
        case .after(let number, let prefix):
            bytes.append(isRecordWanted ? QuestionTag.afterWithRecord : QuestionTag.after)
            log.encode(into: &bytes)
            bytes.append(varint: number)
            if number > 0 { bytes.append(bigEndian: prefix) }
        case .before(let number):
            bytes.append(QuestionTag.before)
            log.encode(into: &bytes)
            bytes.append(varint: number)
        }
        bytes.append(varint: UInt64(bytesMax))
    }

    fileprivate init(_ tag: UInt8, from reader: inout ByteReader) throws(RecordFault) {
        let log = try reader.logName()
        let number = try reader.varint()
        guard number <= Limits.batchNumberMax else {
            throw .overLimit("a batch number", limit: Int(Limits.batchNumberMax))
        }
        let position: Position
        if tag == QuestionTag.before {
            guard number > 1 else { throw .notCanonical("a question before the first batch") }
            position = .before(number)
        } else {
            let prefix = number > 0 ? try reader.integer(UInt64.self) : 0
            position = .after(number, prefix: prefix)
        }
        let bytesMax = try reader.count("the bytes of an answer", limit: Limits.passedBytesMax)
        guard bytesMax > 0 else { throw .notCanonical("an answer without bytes") }
        self.init(log: log, position: position, bytesMax: bytesMax)
    }
}

private enum PassedFlag {
    static let record: UInt8 = 1
    static let previous: UInt8 = 2
    static let all: UInt8 = 3
}

extension Passed {
    /// Appends the message.
    /// - Parameter sender: the device at this end of the link; runs of its own logs omit its id.
    func encode(into bytes: inout [UInt8], sender: DeviceID) {
        bytes.append(varint: channel)
        var flags: UInt8 = 0
        if record != nil { flags |= PassedFlag.record }
        if run.firstNumber > 1 { flags |= PassedFlag.previous }
        bytes.append(flags)
        if let record { bytes.append(block: record.encoded) }
        if run.firstNumber > 1 { previous.raw.append(to: &bytes) }
        run.encode(into: &bytes, sender: sender)
    }

    init(from reader: inout ByteReader, sender: DeviceID) throws {
        channel = try reader.varint()
        let flags = try reader.byte()
        guard flags & ~PassedFlag.all == 0 else {
            throw RecordFault.unknownTag("flag of a piece", UInt64(flags))
        }
        if flags & PassedFlag.record != 0 {
            let bytes = try reader.block("a person record", limit: Limits.helloFrameBytesMax)
            record = try ClaimedPersonRecord(bytes)
        }
        let hasPrevious = flags & PassedFlag.previous != 0
        previous = hasPrevious ? try reader.identifier(BatchHash.self) : .none
        run = try Run(from: &reader, sender: sender)
        guard hasPrevious == (run.firstNumber > 1) else {
            throw RecordFault.notCanonical("the hash before a piece")
        }
    }
}

extension NotPassed {
    func encode(into bytes: inout [UInt8]) {
        bytes.append(varint: channel)
        log.encode(into: &bytes)
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        channel = try reader.varint()
        log = try reader.logName()
    }
}

extension LogName {
    fileprivate func encode(into bytes: inout [UInt8]) {
        device.raw.append(to: &bytes)
        branch.raw.append(to: &bytes)
    }
}
