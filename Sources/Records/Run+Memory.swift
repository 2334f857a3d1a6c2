// The memory that decoded records take. One byte on the wire may become an operation of 64 bytes,
// so a queue that counted only bytes on the wire would hold far more than its limit.

extension Run {
    /// The approximate memory of the run, in bytes.
    public var memoryBytes: Int {
        let checkedBytes = isChecked ? MemoryLayout<CheckedBatch>.stride : 0
        return batches.reduce(0) {
            $0 + MemoryLayout<Link>.stride + checkedBytes + ($1.body?.memoryBytes ?? 0)
        }
    }
}

extension BatchBody {
    fileprivate var memoryBytes: Int {
        operations.reduce(arrayBytes(encoded.count) + arrayBytes(0)) {
            $0 + MemoryLayout<Operation>.stride + $1.action.heapBytes
        }
    }
}

extension Operation.Action {
    /// The memory besides the action's place in its array, in bytes.
    fileprivate var heapBytes: Int {
        switch self {
        case .set(_, let value), .add(_, let value): value.heapBytes
        case .remove(_, let dots): arrayBytes(dots.count * MemoryLayout<Dot>.stride)
        case .cut(_, let heads): arrayBytes(heads.count * MemoryLayout<LogHead>.stride) + 64
        case .erase: MemoryLayout<BatchName>.stride + 32
        case .grant: 64
        case .create, .createOwn, .count, .accept: 0
        }
    }
}

extension Value {
    /// The memory besides the value's own place, in bytes.
    fileprivate var heapBytes: Int {
        switch self {
        case .null, .boolean, .integer, .real: 0
        case .text(let text): text.utf8.count > 15 ? arrayBytes(text.utf8.count) : 0
        case .bytes(let bytes): arrayBytes(bytes.count)
        case .list(let values):
            values.reduce(arrayBytes(0)) { $0 + MemoryLayout<Value>.stride + $1.heapBytes }
        }
    }
}

/// The memory of an array with elements of the given size.
private func arrayBytes(_ elementBytes: Int) -> Int { elementBytes + 32 }
