public import Replica

/// A disk that reports no free space, so that a test does not depend on the machine.
public struct EndlessDisk: DiskSpace {
    /// Creates the value.
    public init() {}

    /// Returns nil.
    public func freeBytes(at path: String) -> Int? { nil }
}
