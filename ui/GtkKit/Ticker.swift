import CGtk

/// Calls a closure once a second until the ticker is released.
@MainActor
public final class Ticker {
    private var source: UInt32 = 0

    /// Starts to tick; the first call comes after one second.
    public init(_ action: @escaping @MainActor () -> Void) {
        let box = unsafe Unmanaged.passRetained(ClosureBox(action)).toOpaque()
        unsafe source = g_timeout_add_seconds_full(
            G_PRIORITY_DEFAULT, 1,
            { box in
                unsafe run(box, as: (@MainActor () -> Void).self) { $0() }
                return 1
            }, box, { unsafe releaseBox($0) })
    }

    isolated deinit {
        g_source_remove(source)
    }
}
