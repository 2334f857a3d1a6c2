/// Consecutive batches of one log as they arrive: decoded, not yet checked.
///
/// A run has one signature, of the last batch; the chain of hashes proves the batches before it.
/// Storage accepts only a ``CheckedRun``:
/// ```swift
/// let run = try Run(from: &reader, sender: peer)
/// let checked = try run.check(in: space, after: head.hash)  // throws BatchFault
/// for batch in checked.batches { store(batch) }
/// ```
public struct Run: Sendable {
    /// The log that the batches belong to.
    public let log: LogName
    /// The number of the first batch.
    public let firstNumber: UInt64
    /// The membership epoch of all the batches.
    public let epoch: UInt64
    /// The batches in order. There is at least one, and their stamps rise.
    public let batches: [Link]
    /// The signature of the last batch.
    public let signature: Signature
    /// The result of an earlier check; see ``checked(in:after:)``.
    private var checked: CheckedRun?

    /// Whether the result of an earlier check is kept.
    var isChecked: Bool { checked != nil }

    /// The part of a batch that a run carries. The rest of the header follows from its position.
    public struct Link: Hashable, Sendable {
        /// The time of writing.
        public let stamp: Stamp
        /// The operations, or the hash of erased ones.
        public let content: BatchContent

        /// The operations, or nil if they were erased.
        public var body: BatchBody? { content.body }

        /// Creates a link from a batch's time and operations.
        public init(stamp: Stamp, body: BatchBody) {
            self.init(stamp: stamp, content: .body(body))
        }

        /// Creates a link from a batch's time and content.
        public init(stamp: Stamp, content: BatchContent) {
            self.stamp = stamp
            self.content = content
        }
    }

    /// Creates a run from its fields; `batches` must not be empty.
    public init(
        log: LogName, firstNumber: UInt64, epoch: UInt64, batches: [Link], signature: Signature
    ) {
        precondition(!batches.isEmpty, "a run has at least one batch")
        self.log = log
        self.firstNumber = firstNumber
        self.epoch = epoch
        self.batches = batches
        self.signature = signature
    }

    /// The number of the last batch.
    public var lastNumber: UInt64 { firstNumber + UInt64(batches.count - 1) }

    /// Computes the chain of hashes from the previous batch on and checks it against the signature.
    /// - Parameter previous: the hash of batch `firstNumber − 1`; ``BatchHash/none`` before 1.
    /// - Throws: ``BatchFault``, in the order stamps, signature.
    public func check(
        in space: SpaceID, after previous: BatchHash
    ) throws(BatchFault) -> CheckedRun {
        if let checked, let first = checked.batches.first?.header, first.space == space,
            first.previous == previous
        {
            return checked
        }
        let batches = try chained(in: space, after: previous)
        let signed = BatchHeader.signedBytes(of: batches[batches.count - 1].hash)
        guard signature.verifies(signed, by: log.device.raw) else { throw .signatureMismatch }
        return CheckedRun(batches: batches, signature: signature)
    }

    /// Returns the same run with the result of its check, so that the check can be made before the
    /// run is stored. A check after another batch or in another space is made again.
    /// - Throws: the same as ``check(in:after:)``.
    public func checked(
        in space: SpaceID, after previous: BatchHash
    ) throws(BatchFault) -> Run {
        var run = self
        run.checked = try check(in: space, after: previous)
        return run
    }

    private func chained(
        in space: SpaceID, after previous: BatchHash
    ) throws(BatchFault) -> [CheckedBatch] {
        var chained: [CheckedBatch] = []
        chained.reserveCapacity(batches.count)
        var hash = previous
        var encoded: [UInt8] = []
        encoded.reserveCapacity(BatchHeader.encodedBytesCount)
        for (index, link) in batches.enumerated() {
            if let last = chained.last, link.stamp <= last.header.stamp { throw .stampNotRising }
            let header = BatchHeader(
                space: space, log: log, number: firstNumber + UInt64(index), previous: hash,
                epoch: epoch, stamp: link.stamp, bodyHash: link.content.bodyHash)
            encoded.removeAll(keepingCapacity: true)
            header.encode(into: &encoded)
            hash = BatchHash(raw: Digest.header.hash(encoded))
            chained.append(CheckedBatch(header: header, hash: hash, content: link.content))
        }
        return chained
    }
}

extension Run: Hashable {
    /// Runs are equal if their content is equal, checked or not.
    public static func == (left: Run, right: Run) -> Bool {
        left.log == right.log && left.firstNumber == right.firstNumber
            && left.epoch == right.epoch && left.batches == right.batches
            && left.signature == right.signature
    }

    /// Hashes the log, the first number and the batches.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(log)
        hasher.combine(firstNumber)
        hasher.combine(batches)
    }
}

/// A batch whose chain and author are proven. Storage accepts no other.
public struct CheckedBatch: Sendable {
    /// The header, rebuilt from the run.
    public let header: BatchHeader
    /// The hash of the header.
    public let hash: BatchHash
    /// The operations, or the hash of erased ones.
    public let content: BatchContent

    /// The operations, or nil if they were erased.
    public var body: BatchBody? { content.body }

    /// The encoded content, which is both hashed and stored.
    public var encodedContent: [UInt8] { content.encoded }

    /// The same batch after its body was erased.
    public var erased: CheckedBatch {
        CheckedBatch(header: header, hash: hash, content: .erased(header.bodyHash))
    }
}

/// A run whose chain and author are proven: by ``Run/check(in:after:)`` for a received run, by its
/// creation for a local batch.
public struct CheckedRun: Sendable {
    /// The batches in order; at least one.
    public let batches: [CheckedBatch]
    /// The signature of the last batch.
    public let signature: Signature

    /// Signs the next batch of a local log. The batch is checked while it is made.
    /// - Throws: ``BatchFault/tooLong(bytes:limit:)``,
    ///   ``BatchFault/tooManyOperations(count:limit:)``, or the ``RecordFault`` for which other
    ///   replicas would refuse this body.
    public init(
        authoring body: BatchBody, in space: SpaceID, log: LogName, number: UInt64,
        previous: BatchHash, epoch: UInt64, stamp: Stamp, sign: ([UInt8]) throws -> Signature
    ) throws {
        guard body.encoded.count <= Limits.batchBodyBytesMax else {
            throw BatchFault.tooLong(bytes: body.encoded.count, limit: Limits.batchBodyBytesMax)
        }
        guard body.operations.count <= Limits.batchOperationsMax else {
            throw BatchFault.tooManyOperations(
                count: body.operations.count, limit: Limits.batchOperationsMax)
        }
        // A batch that other replicas cannot decode would end this log for ever, so it is decoded
        // here.
        guard try BatchBody(decoding: body.encoded) == body else {
            throw RecordFault.notCanonical("the batch written here")
        }
        let header = BatchHeader(
            space: space, log: log, number: number, previous: previous, epoch: epoch, stamp: stamp,
            bodyHash: Digest.body.hash(body.encoded))
        let hash = header.hash
        batches = [CheckedBatch(header: header, hash: hash, content: .body(body))]
        signature = try sign(BatchHeader.signedBytes(of: hash))
    }

    init(batches: [CheckedBatch], signature: Signature) {
        self.batches = batches
        self.signature = signature
    }
}
