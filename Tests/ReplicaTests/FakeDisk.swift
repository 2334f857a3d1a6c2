import Replica
import Synchronization

/// A disk that has as much room as a test says.
final class FakeDisk: DiskSpace {
    private let bytes: Mutex<Int>

    init(_ bytes: Int) { self.bytes = Mutex(bytes) }

    func set(_ bytes: Int) { self.bytes.withLock { $0 = bytes } }

    func freeBytes(at path: String) -> Int? { bytes.withLock { $0 } }
}
