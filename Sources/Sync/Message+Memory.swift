internal import Identity
internal import Records

extension Message {
    /// The approximate memory of the decoded message, in bytes. It may be many times the length of
    /// its frame, so a queue of messages counts this.
    public var memoryBytes: Int { MemoryLayout<Message>.stride + contentBytes }

    private var contentBytes: Int {
        switch self {
        case .push(let push): push.run.memoryBytes
        case .have(let have): have.entries.count * MemoryLayout<Have.Entry>.stride
        case .vector(let vector), .acknowledge(let vector):
            vector.logs.count * MemoryLayout<Vector.Reach>.stride
        case .identity(let claims): claims.reduce(0) { $0 + $1.memoryBytes }
        case .hello(let hello): hello.person.memoryBytes
        case .ephemeral(let message): message.topic.utf8.count + message.body.count
        case .direct(let message): message.topic.utf8.count + message.body.count
        case .announced: Limits.announcedBytesMax
        case .presence: 2 * Limits.presenceNameBytesMax
        case .joinAnswer(let answer): answer?.person.memoryBytes ?? 0
        case .joinConsent(let consent): consent.name.utf8.count
        case .recoveryAnswer(let record), .joined(let record): record?.memoryBytes ?? 0
        case .spaces(let page):
            page.spaces.count * MemoryLayout<SpaceDescriptor>.stride
        case .piece(let piece): piece.bytes.count
        case .offer(let offer): offer.logs.count * MemoryLayout<OfferedLog>.stride
        case .passed(let passed): passed.run.memoryBytes + (passed.record?.memoryBytes ?? 0)
        case .seek(let seek): seek.blobs.count * MemoryLayout<SoughtBlob>.stride
        case .found(let found): found.hashes.count * MemoryLayout<BlobHash>.stride
        case .none, .ping, .pong, .dialBack, .dialResult, .audit, .bye, .recoveryQuestion,
            .askSpaces, .joinQuestion, .want, .lacking, .ask, .notPassed:
            0
        }
    }
}

extension ClaimedPersonRecord {
    fileprivate var memoryBytes: Int {
        MemoryLayout<ClaimedPersonRecord>.stride + encoded.count
    }
}
