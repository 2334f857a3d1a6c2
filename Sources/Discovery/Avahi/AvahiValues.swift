import CAvahi
import Glibc

// Conversion of Avahi's pointers to values and back. The values were sent by anyone on the network.

extension AvahiFault {
    /// Creates the fault for one of the library's error codes.
    init(_ code: Int32) {
        switch Int(code) {
        case AVAHI_ERR_DBUS_ERROR: self = .noBus
        case AVAHI_ERR_NO_DAEMON, AVAHI_ERR_DISCONNECTED:
            self = .noDaemon
        case AVAHI_ERR_COLLISION: self = .nameTaken
        default: self = .refused(unsafe String(cString: avahi_strerror(code)))
        }
    }
}

/// Returns the key of a browser's result; nil if the interface is gone already.
func serviceKey(
    _ interface: AvahiIfIndex, _ family: AvahiProtocol, _ name: UnsafePointer<CChar>?,
    _ domain: UnsafePointer<CChar>?
) -> ServiceKey? {
    guard let index = UInt32(exactly: interface), let name = unsafe name,
        let domain = unsafe domain
    else { return nil }
    var buffer = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard let interfaceName = unsafe if_indextoname(index, &buffer) else { return nil }
    return ServiceKey(
        interface: Endpoint.Interface(name: unsafe String(cString: interfaceName), index: index),
        overIPv6: family == AVAHI_PROTO_INET6, instance: unsafe String(cString: name),
        domain: unsafe String(cString: domain))
}

/// Returns the answer of a resolver; nil if it failed, which it reports by a missing address.
func serviceAnswer(
    _ address: UnsafePointer<AvahiAddress>?, _ port: UInt16,
    _ text: UnsafeMutablePointer<AvahiStringList>?
) -> ServiceAnswer? {
    guard let address = unsafe address?.pointee else { return nil }
    let count = address.proto == AVAHI_PROTO_INET6 ? 16 : 4
    let bytes = unsafe withUnsafeBytes(of: address.data) { unsafe Array($0.prefix(count)) }
    return InternetAddress(bytes).map {
        ServiceAnswer(address: $0, port: port, text: unsafe strings(in: text))
    }
}

/// Returns the strings of a list, at most one more than an announcement may have, which is enough
/// to refuse it.
private func strings(in list: UnsafeMutablePointer<AvahiStringList>?) -> [[UInt8]] {
    var strings: [[UInt8]] = []
    var next = unsafe list
    while let entry = unsafe next, strings.count <= DiscoveryLimits.textStringsMax {
        let bytes = unsafe UnsafeBufferPointer(
            start: avahi_string_list_get_text(entry), count: avahi_string_list_get_size(entry))
        strings.append(unsafe Array(bytes))
        unsafe next = avahi_string_list_get_next(entry)
    }
    return strings
}

/// Calls a closure with a list of these strings in their order.
func withStringList<Result>(
    _ strings: [[UInt8]], _ body: (OpaqueList) -> Result
) -> Result {
    var list: OpaqueList = nil
    // The library adds strings at the front.
    for string in strings.reversed() {
        unsafe list = avahi_string_list_add_arbitrary(list, string, string.count)
    }
    defer { unsafe avahi_string_list_free(list) }
    return unsafe body(list)
}

typealias OpaqueList = UnsafeMutablePointer<AvahiStringList>?
