import CGtk

/// Connects Swift closures to GObject signals.
///
/// Each closure lives in a box that the connection owns: the box is passed retained and released in
/// the destroy notify, so it is valid while GTK may call it. There is one C function for each real
/// signature. GTK calls them on the main thread only, which `assumeIsolated` checks.
@MainActor
enum Signal {
    /// Connects a signal without arguments.
    static func connect(
        _ instance: UnsafeMutableRawPointer, _ name: String,
        _ action: @escaping @MainActor () -> Void
    ) {
        let thunk: @convention(c) (gpointer?, gpointer?) -> Void = { _, box in
            unsafe run(box, as: (@MainActor () -> Void).self) { $0() }
        }
        unsafe attach(
            instance, name, box: action, handler: unsafeBitCast(thunk, to: GCallback.self))
    }

    /// Connects a signal without arguments that returns whether it was handled.
    static func connect(
        _ instance: UnsafeMutableRawPointer, _ name: String,
        deciding action: @escaping @MainActor () -> Bool
    ) {
        let thunk: @convention(c) (gpointer?, gpointer?) -> gboolean = { _, box in
            unsafe run(box, as: (@MainActor () -> Bool).self) { $0() ? 1 : 0 }
        }
        unsafe attach(
            instance, name, box: action, handler: unsafeBitCast(thunk, to: GCallback.self))
    }

    /// Connects a signal that carries one pointer and has no result.
    static func connect(
        _ instance: UnsafeMutableRawPointer, _ name: String,
        pointer action: @escaping @MainActor (UnsafeMutableRawPointer?) -> Void
    ) {
        let thunk: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, value, box in
            nonisolated(unsafe) let value = unsafe value  // On the main thread, as GTK is.
            unsafe run(box, as: (@MainActor (UnsafeMutableRawPointer?) -> Void).self) {
                unsafe $0(value)
            }
        }
        unsafe attach(
            instance, name, box: action, handler: unsafeBitCast(thunk, to: GCallback.self))
    }

    /// Connects a signal that carries one pointer and returns whether it was handled.
    /// - Parameter isAfter: whether the widget itself handles it first.
    static func connect(
        _ instance: UnsafeMutableRawPointer, _ name: String, isAfter: Bool = false,
        deciding action: @escaping @MainActor (UnsafeMutableRawPointer?) -> Bool
    ) {
        let thunk: @convention(c) (gpointer?, gpointer?, gpointer?) -> gboolean = {
            _, value, box in
            nonisolated(unsafe) let value = unsafe value  // On the main thread, as GTK is.
            return unsafe run(box, as: (@MainActor (UnsafeMutableRawPointer?) -> Bool).self) {
                unsafe $0(value) ? 1 : 0
            }
        }
        unsafe attach(
            instance, name, box: action, handler: unsafeBitCast(thunk, to: GCallback.self),
            isAfter: isAfter)
    }

    static func attach<Action>(
        _ instance: UnsafeMutableRawPointer, _ name: String, box action: Action,
        handler: GCallback, isAfter: Bool = false
    ) {
        let box = unsafe Unmanaged.passRetained(ClosureBox(action)).toOpaque()
        unsafe g_signal_connect_data(
            instance, name, handler, box,
            { box, _ in unsafe releaseBox(box) },
            isAfter ? G_CONNECT_AFTER : GConnectFlags(rawValue: 0))
    }
}

/// Holds one closure on behalf of C.
final class ClosureBox<Action> {
    let action: Action

    init(_ action: Action) {
        self.action = action
    }
}

/// Opens a box that C handed back, on the main thread, and passes its closure to `body`.
func run<Action, Result: Sendable>(
    _ box: gpointer?, as type: Action.Type, _ body: @MainActor (Action) -> Result
) -> Result {
    guard let box = unsafe box else { preconditionFailure("GTK lost the closure's box.") }
    nonisolated(unsafe) let closure = unsafe Unmanaged<ClosureBox<Action>>.fromOpaque(box)
        .takeUnretainedValue()  // On the main thread, as GTK is.
    return MainActor.assumeIsolated { body(unsafe closure.action) }
}

/// Releases a box that C no longer needs: the destroy notify of every function that receives one.
func releaseBox(_ box: gpointer?) {
    guard let box = unsafe box else { return }
    unsafe Unmanaged<AnyObject>.fromOpaque(box).release()
}
