import Records

@testable import Discovery

extension DeviceTag {
    /// Returns a tag that differs for each number.
    static func sample(_ number: UInt64) -> DeviceTag {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        guard let tag = DeviceTag(bytes) else { preconditionFailure("8 bytes are a tag") }
        return tag
    }
}

extension Announcement {
    /// Returns an announcement whose tag differs for each number.
    static func sample(
        _ number: UInt64, port: UInt16 = 4711, dropOpen: Bool = false, seeking: Bool = false
    ) -> Announcement {
        var fields = AnnouncedFields()
        fields.insert("f", Array(((dropOpen ? "d" : "") + (seeking ? "s" : "")).utf8))
        let announcement = Announcement(tag: .sample(number), port: port, fields: fields)
        guard let announcement else { preconditionFailure("the port of a sample is not 0") }
        return announcement
    }
}

extension NetworkInterface {
    /// Returns a usable interface.
    static func sample(
        _ name: String, index: UInt32, isUp: Bool = true, hasMulticast: Bool = true,
        addressCount: Int = 1
    ) -> NetworkInterface {
        NetworkInterface(
            name: name, index: index, isUp: isUp, hasMulticast: hasMulticast, isLoopback: false,
            addressCount: addressCount)
    }
}

extension ServiceKey {
    /// Returns the key of an announcement seen on one interface.
    static func sample(
        _ instance: String, interface: String = "eth0", index: UInt32 = 2, overIPv6: Bool = false
    ) -> ServiceKey {
        ServiceKey(
            interface: Endpoint.Interface(name: interface, index: index), overIPv6: overIPv6,
            instance: instance, domain: "local")
    }
}

extension ServiceAnswer {
    /// Returns the answer of a device that announces the sample with this number.
    static func sample(
        _ number: UInt64, address: String = "10.0.0.7", port: UInt16 = 4711, dropOpen: Bool = false
    ) -> ServiceAnswer {
        guard let address = InternetAddress(text: address) else {
            preconditionFailure("a sample has an address")
        }
        let text = Announcement.sample(number, dropOpen: dropOpen).text
        return ServiceAnswer(address: address, port: port, text: text)
    }
}
