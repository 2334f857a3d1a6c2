import CGtk

/// Light or dark, as the desktop's settings portal says, and as soon as it says so.
@MainActor
public enum ColourScheme {
    private static let portal = "org.freedesktop.portal.Desktop"
    private static let path = "/org/freedesktop/portal/desktop"
    private static let settings = "org.freedesktop.portal.Settings"
    private static let namespace = "org.freedesktop.appearance"
    private static let key = "color-scheme"

    /// Begins to follow the portal. With no bus or no portal the theme stays as it is.
    public static func follow() {
        unsafe g_bus_get(
            G_BUS_TYPE_SESSION, nil,
            { _, result, _ in
                guard let bus = unsafe g_bus_get_finish(result, nil) else { return }
                nonisolated(unsafe) let connection = unsafe bus  // On the main thread, as GTK is.
                MainActor.assumeIsolated {
                    unsafe ColourScheme.ask(connection)
                    unsafe ColourScheme.listen(connection)
                }
            }, nil)
    }

    private static func ask(_ bus: OpaquePointer) {
        let names = unsafe [g_variant_new_string(namespace), g_variant_new_string(key)]
        let parameters = unsafe names.withUnsafeBufferPointer {
            unsafe g_variant_new_tuple($0.baseAddress, gsize($0.count))
        }
        unsafe g_dbus_connection_call(
            bus, portal, path, settings, "Read", parameters, nil,
            G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, nil,
            { bus, result, _ in
                let answer = unsafe g_dbus_connection_call_finish(
                    OpaquePointer(bus), result, nil)
                guard let answer = unsafe answer else { return }
                defer { unsafe g_variant_unref(answer) }
                guard let value = unsafe g_variant_get_child_value(answer, 0) else { return }
                defer { unsafe g_variant_unref(value) }
                ColourScheme.apply(unsafe ColourScheme.scheme(in: value))
            }, nil)
    }

    private static func listen(_ bus: OpaquePointer) {
        unsafe g_dbus_connection_signal_subscribe(
            bus, portal, settings, "SettingChanged", path, namespace,
            G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, _, parameters, _ in
                guard let parameters = unsafe parameters,
                    unsafe g_variant_n_children(parameters) == 3,
                    let name = unsafe g_variant_get_child_value(parameters, 1),
                    let value = unsafe g_variant_get_child_value(parameters, 2)
                else { return }
                defer {
                    unsafe g_variant_unref(name)
                    unsafe g_variant_unref(value)
                }
                guard unsafe g_variant_classify(name) == G_VARIANT_CLASS_STRING,
                    let text = unsafe g_variant_get_string(name, nil),
                    unsafe String(cString: text) == "color-scheme"
                else { return }
                ColourScheme.apply(unsafe ColourScheme.scheme(in: value))
            }, nil, nil)
    }

    /// The number inside a value that the portal wraps once or twice, or nil where it is none.
    private nonisolated static func scheme(in value: OpaquePointer) -> UInt32? {
        switch unsafe g_variant_classify(value) {
        case G_VARIANT_CLASS_UINT32:
            return unsafe g_variant_get_uint32(value)
        case G_VARIANT_CLASS_VARIANT:
            guard let inner = unsafe g_variant_get_variant(value) else { return nil }
            defer { unsafe g_variant_unref(inner) }
            return unsafe scheme(in: inner)
        default:
            return nil
        }
    }

    /// 1 prefers dark, 2 prefers light, 0 says nothing.
    private nonisolated static func apply(_ scheme: UInt32?) {
        guard let scheme else { return }
        MainActor.assumeIsolated { Stylesheet.preferDark(scheme == 1) }
    }
}
