import Links
import NIOCore
import Testing

@testable import PeerLink

@Suite struct LinkAddressTests {
    @Test(arguments: [
        "192.168.1.7": "192.168.1.7", "[fe80::1%eth0]": "fe80::1%eth0", "[::1]": "::1",
        "laptop.local": "laptop.local",
    ])
    func `an address is read and written the same`(text: String, host: String) throws {
        for port: UInt16 in [1, 4242, 65535] {
            let address = try #require(LinkAddress("\(text):\(port)"))
            #expect(address == LinkAddress(host: host, port: port))
            #expect(address.description == "\(text):\(port)")
        }
    }

    @Test(arguments: [
        "", ":", "host", "host:", ":4242", "host:0", "host:65536", "host:-1", "host:+1", "host:4 2",
        "fe80::1:4242", "[]:1", "[host]:1", "[::1]", "[::1]1", "[[::1]]:1", "ho st:1", "host\n:1",
        "höst:1", "host:٤٢",
    ])
    func `text that is not an address is refused`(text: String) {
        #expect(LinkAddress(text) == nil)
    }

    @Test func `a host of 253 bytes is accepted and one of 254 is refused`() {
        #expect(LinkAddress(String(repeating: "a", count: 253) + ":1") != nil)
        #expect(LinkAddress(String(repeating: "a", count: 254) + ":1") == nil)
    }

    @Test func `an IPv4 address seen over an IPv6 socket is written as IPv4`() throws {
        let mapped = try SocketAddress(ipAddress: "::ffff:10.0.0.3", port: 7)
        #expect(LinkAddress(mapped)?.description == "10.0.0.3:7")
    }

    @Test func `a link-local address keeps its interface`() throws {
        let loopback = try #require(
            try System.enumerateDevices().first { $0.address?.ipAddress == "127.0.0.1" })
        let scoped = try SocketAddress(ipAddress: "fe80::1%\(loopback.name)", port: 7)
        #expect(LinkAddress(scoped)?.description == "[fe80::1%\(loopback.name)]:7")
    }

    @Test func `an IPv6 address without interface is written without one`() throws {
        let plain = try SocketAddress(ipAddress: "2001:db8::5", port: 7)
        #expect(LinkAddress(plain)?.description == "[2001:db8::5]:7")
    }
}
