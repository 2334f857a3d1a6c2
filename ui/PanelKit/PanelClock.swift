public import Contract

/// The window's clock: the main loop's own in the program, one that a test moves in a test.
@MainActor
public struct WindowClock {
    /// The time on a clock that is never set.
    public var now: @MainActor () -> Duration
    /// Calls back once, so long from now.
    public var after: @MainActor (Duration, @escaping @MainActor () -> Void) -> Void

    /// Creates a clock from its two functions.
    public init(
        now: @escaping @MainActor () -> Duration,
        after: @escaping @MainActor (Duration, @escaping @MainActor () -> Void) -> Void
    ) {
        self.now = now
        self.after = after
    }
}

/// The time as panels need it: the window's own, and the node's.
@MainActor
public final class PanelClock {
    private let window: WindowClock
    /// The node's time as it was last received, and the window's clock then.
    private var received = (time: Timestamp.min, at: Duration.zero)

    /// Creates a clock that does not know the node's time yet.
    public init(_ window: WindowClock) {
        self.window = window
    }

    /// The time on a clock that is never set.
    public var now: Duration { window.now() }

    /// Now, by the node's clock.
    public var nodeTime: Timestamp { received.time + (now - received.at) }

    /// Sets the node's time to the one just received.
    package func set(nodeTime: Timestamp) {
        received = (nodeTime, now)
    }
}
