import Glibc

/// An IPv4 or IPv6 address as bytes.
struct InternetAddress: Hashable, Sendable {
    /// 4 or 16 bytes, in network order.
    let bytes: [UInt8]

    /// Creates an address from 4 or 16 bytes; nil for any other number.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Parses the text form, without a scope.
    init?(text: String) {
        var (four, six) = (in_addr(), in6_addr())
        if unsafe inet_pton(AF_INET, text, &four) == 1 {
            bytes = unsafe withUnsafeBytes(of: four) { unsafe Array($0) }
        } else if unsafe inet_pton(AF_INET6, text, &six) == 1 {
            bytes = unsafe withUnsafeBytes(of: six) { unsafe Array($0) }
        } else {
            return nil
        }
    }

    /// Whether this is an IPv6 address.
    var isIPv6: Bool { bytes.count == 16 }

    /// Whether the address is valid on one link only, so that dialling it needs a scope.
    var needsScope: Bool { isIPv6 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 }

    /// Whether the address is a loopback address.
    var isLoopback: Bool {
        isIPv6 ? bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1 : bytes[0] == 127
    }

    /// Whether the address belongs to a single host: it is not unspecified, multicast, broadcast or
    /// an IPv4-mapped IPv6 address. Anyone can announce any address, and announced addresses are
    /// dialled.
    var isOneHost: Bool {
        if isIPv6 {
            let isPlain = bytes.prefix(12).contains { $0 != 0 && $0 != 0xFF }
            return isLoopback || (isPlain && bytes[0] != 0xFF)
        }
        return bytes[0] != 0 && bytes[0] < 224
    }

    /// The usual text form, without a scope.
    var text: String {
        guard isIPv6 else { return bytes.map(String.init).joined(separator: ".") }
        var address = in6_addr()
        unsafe withUnsafeMutableBytes(of: &address) { unsafe $0.copyBytes(from: bytes) }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = unsafe inet_ntop(AF_INET6, &address, &text, socklen_t(INET6_ADDRSTRLEN))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
