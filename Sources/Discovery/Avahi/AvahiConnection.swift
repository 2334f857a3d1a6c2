import CAvahi
import Glibc

/// The owner of the C library: all Avahi pointers stay in this class and leave it as values.
///
/// An instance is confined to the thread that created it (``AvahiThread``). The library calls back
/// on that thread only, and only from within the functions of this class. A callback only appends
/// to `signals`, so that no object is freed while the library uses it.
@safe
final class AvahiConnection {
    private struct Group {
        let interface: UInt32
        let instance: String
    }

    private let poll: OpaquePointer
    private var client: OpaquePointer?
    private var browser: OpaquePointer?
    private var groups: [UInt32: OpaquePointer] = unsafe [:]
    private var groupsByPointer: [OpaquePointer: Group] = unsafe [:]
    private var questions: [ServiceKey: OpaquePointer] = unsafe [:]
    private var questionsByPointer: [OpaquePointer: ServiceKey] = unsafe [:]
    private var signals: [AvahiSignal] = []

    /// Creates a connection that is not connected yet.
    /// - Parameter wakeDescriptor: ends a wait early when it becomes readable. It is read here and
    ///   closed by its owner.
    /// - Returns: nil if there is no memory.
    init?(wakeDescriptor: Int32) {
        guard let poll = unsafe avahi_simple_poll_new() else { return nil }
        unsafe self.poll = poll
        let loop = unsafe avahi_simple_poll_get(poll)
        _ = unsafe loop?.pointee.watch_new(
            loop, wakeDescriptor, AVAHI_WATCH_IN,
            { _, descriptor, _, _ in
                var bytes = [UInt8](repeating: 0, count: 64)
                _ = unsafe read(descriptor, &bytes, bytes.count)
            }, nil)
    }

    deinit {
        disconnect()
        unsafe avahi_simple_poll_free(poll)
    }

    // MARK: - The loop

    /// Waits for the daemon or the wake descriptor, at most this long.
    /// - Returns: the signals that arrived; nil if the event loop, and with it this connection, is
    ///   broken.
    func wait(upTo duration: Duration) -> [AvahiSignal]? {
        let milliseconds = Int32(max(0, min(duration / .milliseconds(1), 60_000)))
        // Signals that were added by an earlier call are returned without waiting.
        let outcome = unsafe avahi_simple_poll_iterate(poll, signals.isEmpty ? milliseconds : 0)
        defer { signals = [] }
        return outcome == 0 ? signals : nil
    }

    // MARK: - The client

    /// Connects to the bus. The daemon may appear later.
    func connect() throws(AvahiFault) {
        disconnect()
        var code: Int32 = 0
        let callback: AvahiClientCallback = { client, state, context in
            unsafe AvahiConnection.from(context).clientChanged(client, state)
        }
        unsafe client = avahi_client_new(
            avahi_simple_poll_get(poll), AVAHI_CLIENT_NO_FAIL, callback, context, &code)
        guard unsafe client == nil else { return }
        // The library accepts an absent daemon without an error here. It reports "no daemon" if the
        // socket of the bus is missing.
        let fault = AvahiFault(code)
        throw fault == .noDaemon ? .noBus : fault
    }

    /// Removes all announcements, the browser and all questions.
    func disconnect() {
        // Freeing the client frees all objects created with it.
        if let client = unsafe client { unsafe avahi_client_free(client) }
        unsafe client = nil
        unsafe browser = nil
        unsafe groups = [:]
        unsafe groupsByPointer = [:]
        unsafe questions = [:]
        unsafe questionsByPointer = [:]
        signals = []
    }

    private func clientChanged(_ client: OpaquePointer?, _ state: AvahiClientState) {
        switch state {
        case AVAHI_CLIENT_CONNECTING: signals.append(.waitingForDaemon)
        case AVAHI_CLIENT_S_RUNNING: signals.append(.daemonReady)
        case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: signals.append(.daemonBusy)
        default: unsafe signals.append(.daemonLost(AvahiFault(avahi_client_errno(client))))
        }
    }

    // MARK: - Announcing

    /// Announces a service on one interface and replaces the previous announcement there.
    func announce(
        _ announcement: Announcement, as instance: String, interface: UInt32
    ) throws(AvahiFault) {
        withdraw(interface: interface)
        let callback: AvahiEntryGroupCallback = { group, state, context in
            unsafe AvahiConnection.from(context).groupChanged(group, state)
        }
        guard let client = unsafe client,
            let group = unsafe avahi_entry_group_new(client, callback, context)
        else { throw lastFault }
        unsafe groups[interface] = group
        unsafe groupsByPointer[group] = Group(interface: interface, instance: instance)
        let added = unsafe withStringList(announcement.text) { text in
            // Without this flag the daemon adds a cookie, which would identify a node however often
            // its tag changes.
            unsafe avahi_entry_group_add_service_strlst(
                group, Int32(bitPattern: interface), Self.anyFamily,
                AVAHI_PUBLISH_NO_COOKIE, instance, Announcement.serviceType, nil, nil,
                announcement.port, text)
        }
        guard added == 0 else { throw AvahiFault(added) }
        let committed = unsafe avahi_entry_group_commit(group)
        guard committed == 0 else { throw AvahiFault(committed) }
    }

    /// Changes the text of the announcement on one interface. The announcement stays visible.
    func updateText(
        of announcement: Announcement, as instance: String, interface: UInt32
    ) throws(AvahiFault) {
        guard let group = unsafe groups[interface] else { throw .refused("nothing is announced") }
        let updated = unsafe withStringList(announcement.text) { text in
            unsafe avahi_entry_group_update_service_txt_strlst(
                group, Int32(bitPattern: interface), Self.anyFamily,
                AVAHI_PUBLISH_NO_COOKIE, instance, Announcement.serviceType, nil, text)
        }
        guard updated == 0 else { throw AvahiFault(updated) }
    }

    /// Withdraws the announcement on one interface.
    func withdraw(interface: UInt32) {
        guard let group = unsafe groups.removeValue(forKey: interface) else { return }
        unsafe groupsByPointer[group] = nil
        _ = unsafe avahi_entry_group_free(group)
    }

    private func groupChanged(_ pointer: OpaquePointer?, _ state: AvahiEntryGroupState) {
        guard let pointer = unsafe pointer, let group = unsafe groupsByPointer[pointer] else {
            return
        }
        let (interface, instance) = (group.interface, group.instance)
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED:
            signals.append(.announced(interface: interface, instance: instance))
        case AVAHI_ENTRY_GROUP_COLLISION:
            signals.append(
                .announcementRefused(interface: interface, instance: instance, .nameTaken))
        case AVAHI_ENTRY_GROUP_FAILURE:
            signals.append(
                .announcementRefused(interface: interface, instance: instance, lastFault))
        default: break
        }
    }

    // MARK: - Browsing and asking

    /// Lists the announcements of others from the beginning and then reports changes.
    func browse() throws(AvahiFault) {
        if let browser = unsafe browser { _ = unsafe avahi_service_browser_free(browser) }
        let callback: AvahiServiceBrowserCallback = {
            _, interface, family, event, name, _, domain, flags, context in
            unsafe AvahiConnection.from(context).browsed(
                event, serviceKey(interface, family, name, domain),
                isOurs: flags.rawValue & AVAHI_LOOKUP_RESULT_OUR_OWN.rawValue != 0)
        }
        unsafe browser = avahi_service_browser_new(
            client, AvahiIfIndex(AVAHI_IF_UNSPEC), Self.anyFamily,
            Announcement.serviceType, nil, AvahiLookupFlags(0), callback, context)
        guard unsafe browser != nil else { throw lastFault }
    }

    private func browsed(_ event: AvahiBrowserEvent, _ key: ServiceKey?, isOurs: Bool) {
        switch event {
        case AVAHI_BROWSER_NEW:
            if let key, !isOurs { signals.append(.found(key)) }
        case AVAHI_BROWSER_REMOVE:
            if let key { signals.append(.lost(key)) }
        case AVAHI_BROWSER_FAILURE: signals.append(.daemonLost(lastFault))
        default: break
        }
    }

    /// Opens a question. Answers arrive until it is closed.
    func ask(_ key: ServiceKey) throws(AvahiFault) {
        stopAsking(key)
        let callback: AvahiServiceResolverCallback = {
            question, _, _, _, _, _, _, _, address, port, text, _, context in
            unsafe AvahiConnection.from(context).answered(
                question, serviceAnswer(address, port, text))
        }
        let family = AvahiProtocol(key.overIPv6 ? AVAHI_PROTO_INET6 : AVAHI_PROTO_INET)
        // Only an address of the same family as the received packet is requested. The announcement
        // seen over the other family requests the other address.
        let question = unsafe avahi_service_resolver_new(
            client, Int32(bitPattern: key.interface.index), family, key.instance,
            Announcement.serviceType, key.domain, family, AvahiLookupFlags(0), callback, context)
        guard let question = unsafe question else { throw lastFault }
        unsafe questions[key] = question
        unsafe questionsByPointer[question] = key
    }

    /// Closes a question.
    func stopAsking(_ key: ServiceKey) {
        guard let question = unsafe questions.removeValue(forKey: key) else { return }
        unsafe questionsByPointer[question] = nil
        _ = unsafe avahi_service_resolver_free(question)
    }

    private func answered(_ question: OpaquePointer?, _ answer: ServiceAnswer?) {
        guard let question = unsafe question, let key = unsafe questionsByPointer[question] else {
            return
        }
        signals.append(answer.map { .answered(key, $0) } ?? .unanswered(key))
    }

    // MARK: - Pointers

    private static let anyFamily = AvahiProtocol(AVAHI_PROTO_UNSPEC)

    private var lastFault: AvahiFault {
        guard let client = unsafe client else { return .noDaemon }
        return AvahiFault(unsafe avahi_client_errno(client))
    }

    /// The library uses this pointer only while the client lives, and `deinit` frees the client.
    private var context: UnsafeMutableRawPointer {
        unsafe Unmanaged.passUnretained(self).toOpaque()
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> AvahiConnection {
        guard let context = unsafe context else {
            preconditionFailure("Avahi passed no context to a callback")
        }
        return unsafe Unmanaged.fromOpaque(context).takeUnretainedValue()
    }
}
