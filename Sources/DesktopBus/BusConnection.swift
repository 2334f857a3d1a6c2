import CGio
import Glibc
import Notifications

/// The owner of GLib's pointers: they stay in this class and leave it as values.
///
/// An instance is confined to the thread that created it (``BusThread``). GLib calls back on that
/// thread only, from within ``wait(upTo:)``. A callback only appends to `signals`.
@safe
final class BusConnection {
    /// A report of the server or the bus.
    enum Signal: Equatable {
        case closed(id: UInt32)
        case invoked(id: UInt32, action: String)
        case token(id: UInt32, token: String)
        case server(isThere: Bool)
        case busLost
    }

    private static let server = "org.freedesktop.Notifications"
    private static let serverPath = "/org/freedesktop/Notifications"
    /// The longest wait for an answer of the server.
    private static let answer = Duration.seconds(5)

    private let context: OpaquePointer
    private let cancellable: UnsafeMutablePointer<GCancellable>
    private var connection: OpaquePointer?
    private var subscriptions: [UInt32] = []
    private var signals: [Signal] = []
    /// The abilities of the server.
    private var capabilities: Set<String> = []

    /// The id of the program's .desktop file.
    private let entry: String

    init(_ mailbox: BusMailbox, entry: String) {
        self.entry = entry
        unsafe context = mailbox.context
        unsafe cancellable = mailbox.cancellable
        unsafe g_main_context_push_thread_default(context)
    }

    deinit {
        disconnect()
        unsafe g_main_context_pop_thread_default(context)
    }

    // MARK: - The loop

    /// Waits for the bus or the mailbox, at most this long.
    /// - Returns: the signals that arrived.
    func wait(upTo duration: Duration?) -> [Signal] {
        var timer: UnsafeMutablePointer<GSource>?
        if let duration {
            let milliseconds = UInt32(max(1, min(duration / .milliseconds(1), 60_000)))
            unsafe timer = g_timeout_source_new(milliseconds)
            unsafe g_source_set_callback(timer, { _ in gboolean(0) }, nil, nil)
            unsafe g_source_attach(timer, context)
        }
        if signals.isEmpty { unsafe g_main_context_iteration(context, 1) }
        while unsafe g_main_context_iteration(context, 0) != 0 {}
        if let timer = unsafe timer {
            unsafe g_source_destroy(timer)
            unsafe g_source_unref(timer)
        }
        if let connection = unsafe connection,
            unsafe g_dbus_connection_is_closed(connection) != 0
        {
            disconnect()
            signals.append(.busLost)
        }
        defer { signals = [] }
        return signals
    }

    // MARK: - The bus

    /// Connects to the session bus.
    /// - Parameter address: the bus's address.
    /// - Returns: whether it is there.
    func connect(_ address: String) -> Bool {
        disconnect()
        let flags =
            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
            | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue
        unsafe connection = g_dbus_connection_new_for_address_sync(
            address, GDBusConnectionFlags(rawValue: flags), nil, cancellable, nil)
        guard unsafe connection != nil else { return false }
        for signal in ["NotificationClosed", "ActionInvoked", "ActivationToken"] {
            subscribe(to: signal, of: Self.server)
        }
        subscribe(to: "NameOwnerChanged", of: "org.freedesktop.DBus", about: Self.server)
        return true
    }

    private func disconnect() {
        guard let connection = unsafe connection else { return }
        for subscription in subscriptions {
            unsafe g_dbus_connection_signal_unsubscribe(connection, subscription)
        }
        // A signal that waits in the loop is dropped now that nothing subscribes to it.
        while unsafe g_main_context_iteration(context, 0) != 0 {}
        unsafe g_object_unref(UnsafeMutableRawPointer(connection))
        unsafe self.connection = nil
        subscriptions = []
        signals = []
    }

    /// Listens to a signal. The callback is called on this thread while the subscription lives, and
    /// ``disconnect()`` ends that before this object goes.
    private func subscribe(to signal: String, of sender: String, about name: String? = nil) {
        subscriptions.append(
            unsafe g_dbus_connection_signal_subscribe(
                connection, sender, sender, signal, nil, name, GDBusSignalFlags(rawValue: 0),
                { _, _, _, _, signal, parameters, owner in
                    guard let owner = unsafe owner, let signal = unsafe signal else { return }
                    unsafe Unmanaged<BusConnection>.fromOpaque(owner).takeUnretainedValue()
                        .receive(String(cString: signal), parameters)
                }, Unmanaged.passUnretained(self).toOpaque(), nil))
    }

    private func receive(_ signal: String, _ parameters: OpaquePointer?) {
        guard signal != "NameOwnerChanged" else {
            let owner = unsafe Self.text(parameters, 2)
            return signals.append(.server(isThere: owner?.isEmpty == false))
        }
        guard let id = unsafe Self.number(parameters, 0) else { return }
        let text = unsafe Self.text(parameters, 1)
        switch (signal, text) {
        case ("NotificationClosed", _): signals.append(.closed(id: id))
        case ("ActionInvoked", let action?): signals.append(.invoked(id: id, action: action))
        case ("ActivationToken", let token?): signals.append(.token(id: id, token: token))
        default: break
        }
    }

    // MARK: - The server

    /// Shows a notice.
    /// - Returns: the id that the server gave it.
    func show(_ notice: ShownNotice, replacing id: UInt32) throws(NoticeBoard.Fault) -> UInt32 {
        let body = capabilities.contains("body-markup") ? Markup.escaped(notice.body) : notice.body
        var actions = ["default", "Open"]
        for (index, label) in notice.actions.enumerated() { actions += [String(index), label] }
        let parameters = unsafe Self.tuple([
            g_variant_new_string("Waggle"), g_variant_new_uint32(id),
            g_variant_new_string(entry), g_variant_new_string(notice.title),
            g_variant_new_string(body), Self.texts(capabilities.contains("actions") ? actions : []),
            Self.dictionary(["desktop-entry": entry]),
            g_variant_new_int32(-1),
        ])
        let answer = unsafe try call("Notify", parameters, returning: "(u)")
        defer { unsafe g_variant_unref(answer) }
        guard let id = unsafe Self.number(answer, 0), id != 0 else { throw .refused }
        return id
    }

    /// Removes a notice.
    func close(_ id: UInt32) throws(NoticeBoard.Fault) {
        let parameters = unsafe Self.tuple([g_variant_new_uint32(id)])
        let answer = unsafe try call("CloseNotification", parameters, returning: "()")
        unsafe g_variant_unref(answer)
    }

    /// Asks the server what it can do.
    func greet() throws(NoticeBoard.Fault) {
        let answer = unsafe try call("GetCapabilities", nil, returning: "(as)")
        defer { unsafe g_variant_unref(answer) }
        let list = unsafe g_variant_get_child_value(answer, 0)
        defer { unsafe g_variant_unref(list) }
        capabilities = []
        for index in 0..<min(unsafe Int(g_variant_n_children(list)), 100) {
            if let word = unsafe Self.text(list, index) { capabilities.insert(word) }
        }
    }

    /// Calls the server and waits for its answer, which the caller releases.
    private func call(
        _ method: String, _ parameters: OpaquePointer?, returning type: String
    ) throws(NoticeBoard.Fault) -> OpaquePointer {
        guard let connection = unsafe connection else {
            if let parameters = unsafe parameters {
                unsafe g_variant_unref(g_variant_ref_sink(parameters))
            }
            throw .busAway
        }
        let reply = unsafe g_variant_type_new(type)
        defer { unsafe g_variant_type_free(reply) }
        var error: UnsafeMutablePointer<GError>?
        let answer = unsafe g_dbus_connection_call_sync(
            connection, Self.server, Self.serverPath, Self.server, method, parameters, reply,
            G_DBUS_CALL_FLAGS_NONE, Int32(Self.answer / .milliseconds(1)), cancellable, &error)
        if let answer = unsafe answer { return unsafe answer }
        defer { unsafe g_clear_error(&error) }
        throw unsafe NoticeBoard.Fault(
            error, isClosed: g_dbus_connection_is_closed(connection) != 0)
    }

    // MARK: - The window

    /// Asks the application for one of its actions with a text. The bus starts the application if
    /// it is not running. Nothing waits for its answer.
    func activate(_ action: String, _ text: String, of application: String, token: String?) {
        guard let connection = unsafe connection else { return }
        let target = unsafe g_variant_new_variant(g_variant_new_string(text))
        let type = unsafe g_variant_type_new("v")
        defer { unsafe g_variant_type_free(type) }
        var targets: [OpaquePointer?] = unsafe [target]
        let platform =
            token.map { ["activation-token": $0, "desktop-startup-id": $0] } ?? [:]
        let parameters = unsafe Self.tuple([
            g_variant_new_string(action), g_variant_new_array(type, &targets, 1),
            Self.dictionary(platform),
        ])
        unsafe g_dbus_connection_call(
            connection, application, "/" + application.split(separator: ".").joined(separator: "/"),
            "org.freedesktop.Application", "ActivateAction", parameters, nil,
            G_DBUS_CALL_FLAGS_NONE, -1, nil, nil, nil)
        unsafe g_dbus_connection_flush_sync(connection, cancellable, nil)
    }

    // MARK: - Values

    private static func tuple(_ children: [OpaquePointer?]) -> OpaquePointer? {
        var children = unsafe children
        return unsafe g_variant_new_tuple(&children, gsize(children.count))
    }

    private static func texts(_ texts: [String]) -> OpaquePointer? {
        let type = unsafe g_variant_type_new("s")
        defer { unsafe g_variant_type_free(type) }
        var children: [OpaquePointer?] = unsafe texts.map { unsafe g_variant_new_string($0) }
        return unsafe g_variant_new_array(type, &children, gsize(children.count))
    }

    private static func dictionary(_ texts: [String: String]) -> OpaquePointer? {
        let type = unsafe g_variant_type_new("{sv}")
        defer { unsafe g_variant_type_free(type) }
        var children: [OpaquePointer?] = unsafe texts.map { key, value in
            unsafe g_variant_new_dict_entry(
                g_variant_new_string(key), g_variant_new_variant(g_variant_new_string(value)))
        }
        return unsafe g_variant_new_array(type, &children, gsize(children.count))
    }

    /// Returns the number at an index of a container from outside; nil if there is none.
    private static func number(_ container: OpaquePointer?, _ index: Int) -> UInt32? {
        guard let child = unsafe child(container, index) else { return nil }
        defer { unsafe g_variant_unref(child) }
        guard unsafe String(cString: g_variant_get_type_string(child)) == "u" else { return nil }
        return unsafe g_variant_get_uint32(child)
    }

    /// Returns the text at an index of a container from outside; nil if there is none.
    private static func text(_ container: OpaquePointer?, _ index: Int) -> String? {
        guard let child = unsafe child(container, index) else { return nil }
        defer { unsafe g_variant_unref(child) }
        guard unsafe String(cString: g_variant_get_type_string(child)) == "s" else { return nil }
        return unsafe String(cString: g_variant_get_string(child, nil))
    }

    private static func child(_ container: OpaquePointer?, _ index: Int) -> OpaquePointer? {
        guard let container = unsafe container, unsafe g_variant_is_container(container) != 0,
            unsafe index < Int(g_variant_n_children(container))
        else { return nil }
        return unsafe g_variant_get_child_value(container, gsize(index))
    }
}

extension NoticeBoard.Fault {
    /// Reads an error of GLib: what the server itself answers is a refusal.
    init(_ error: UnsafeMutablePointer<GError>?, isClosed: Bool) {
        guard !isClosed else {
            self = .busAway
            return
        }
        guard let name = unsafe g_dbus_error_get_remote_error(error) else {
            self = .serverAway
            return
        }
        defer { unsafe g_free(name) }
        let text = unsafe String(cString: name)
        let away = [
            "ServiceUnknown", "NameHasNoOwner", "NoReply", "Timeout", "Spawn", "UnknownObject",
        ]
        let isAway = away.contains { text.hasPrefix("org.freedesktop.DBus.Error." + $0) }
        self = isAway ? .serverAway : .refused
    }
}
