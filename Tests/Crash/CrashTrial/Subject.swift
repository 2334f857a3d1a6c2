internal import Identity
internal import Records
internal import Replica

/// A replica under trial, used as a node uses it.
struct Subject {
    let cast: Cast
    let directory: String
    private(set) var replica: Replica?

    init(_ cast: Cast, in directory: String) {
        self.cast = cast
        self.directory = directory
    }

    /// Opens the replica, as a start of the node does.
    mutating func open() throws {
        replica = try cast.replica(in: directory, of: cast.key)
    }

    /// Closes the replica.
    mutating func close() async throws {
        let closing = replica
        replica = nil
        try await closing?.close()
    }

    /// Drops the replica, as a process that ends at once does; the system's part is not tried.
    mutating func abandon() { replica = nil }

    /// Performs a step. Its writes are acknowledged when this returns.
    mutating func perform(_ step: Step) async throws {
        if case .restart = step.action {
            try await close()
            return try open()
        }
        guard let replica else { preconditionFailure("no step is done before the first start") }
        let wall = step.wallTime
        switch step.action {
        case .learn(let person): try await replica.learn(person)
        case .open(let space): try await replica.open(space)
        case .author(let edits, let space):
            _ = try await replica.author(edits, in: space.id, wallTime: wall)
        case .merge(let run):
            let outcome = try await replica.merge([(cast.pair.id, run)], wallTime: wall)
            if let fault = outcome.faults[0] { throw fault }
        case .acknowledge(let reach):
            try await replica.recordAcknowledgement(
                of: cast.mateKey.id, in: cast.pair.id, reaches: [reach])
        case .put(let content, let space):
            _ = try await replica.put(
                content, kind: RecordCollection.photoKind, in: space.id, wallTime: wall)
        case .fetch(let content): try await fetch(content, at: wall)
        case .releaseDue: _ = try await replica.releaseDue(wallTime: wall)
        case .rebuild(let space): try await replica.rebuild(space.id)
        case .read:
            _ = try await replica.read("SELECT count(*) FROM note", allowedTables: ["note"])
        case .restart: break
        }
    }

    /// Stores content as it arrives, in pieces.
    private func fetch(_ content: [UInt8], at wall: Timestamp) async throws {
        guard let replica, let blob = Blob(of: content, kind: RecordCollection.photoKind) else {
            return
        }
        let space = cast.pair.id
        guard case .missing = try await replica.arrivedBytes(of: blob, in: space) else { return }
        for offset in stride(from: 0, to: content.count, by: Limits.blobPieceBytes) {
            let end = min(content.count, offset + Limits.blobPieceBytes)
            try await replica.append(
                Array(content[offset..<end]), at: offset, of: blob, in: space, wallTime: wall)
        }
        let end = try await replica.finish(blob, in: space, wallTime: wall)
        guard end == .stored else { throw TrialFault.notFetched }
    }
}
