/// A provider of distances and directions between this device and others, such as the driver of an
/// ultra-wideband radio. Locations are no measurements.
///
/// It runs only while a plugin or page asks for measurements. Its task is cancelled when none asks.
///
/// ```swift
/// struct Tape: RangingSource {
///     let metres: Double
///     func run(
///         _ changes: AsyncStream<RangingChange>,
///         _ tell: @Sendable (RangingNews) async -> Void
///     ) async throws {
///         for await case .linked(let device) in changes {
///             await tell(.measured(RangeReport(device: device, distanceMetres: metres)))
///         }
///     }
/// }
/// ```
public protocol RangingSource: Sendable {
    /// Measures until the source ends or the task is cancelled.
    /// - Parameters:
    ///   - changes: the devices that are linked at the start, each with its last token if there is
    ///     one, and then every change. At most ``RangingLimits/waitingMax`` wait.
    ///   - tell: receives measurements and tokens; the values need not be checked.
    /// - Throws: any error if it cannot continue; a `SentenceError` is shown to the person.
    func run(
        _ changes: AsyncStream<RangingChange>, _ tell: @Sendable (RangingNews) async -> Void
    ) async throws
}

/// A change of a device that a provider may measure.
public enum RangingChange: Hashable, Sendable {
    /// The device was linked: begin a session with it.
    case linked(DeviceID)
    /// The provider of the device sent a token. It replaces the device's session.
    case token([UInt8], from: DeviceID)
    /// The link of the device was lost. Its session ends, and no other.
    case lost(DeviceID)
}

/// News from a provider.
public enum RangingNews: Hashable, Sendable {
    /// A measurement.
    case measured(RangeReport)
    /// An opaque token of ``RangingLimits/tokenBytes`` for the provider of another device. It is
    /// sent over the authenticated link; one of another length, or for a device that is not linked,
    /// is ignored.
    case token([UInt8], to: DeviceID)
}
