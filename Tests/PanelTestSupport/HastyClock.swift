public import PanelKit

/// A clock on which every wait ends at once. It counts the time that the waits would have taken.
@MainActor
public final class HastyClock {
    /// The time that all waits would have taken.
    public private(set) var now = Duration.zero
    /// A clock at zero.
    public init() {}

    /// A wait of this length or longer does not end.
    public var patience = Duration.seconds(1_000_000)

    /// The clock of a window.
    public var windowClock: WindowClock {
        WindowClock(
            now: { self.now },
            after: { time, action in
                guard time < self.patience else { return }
                Task {
                    self.now += time
                    action()
                }
            })
    }
}
