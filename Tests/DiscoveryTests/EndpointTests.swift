@testable import Discovery
import Testing

struct EndpointTests {
    private let eth0 = Endpoint.Interface(name: "eth0", index: 2)

    @Test(arguments: [
        ("192.0.2.7:4711", "192.0.2.7"), ("[2001:db8::7]:4711", "2001:db8::7"),
        ("[fe80::7%eth0]:4711", "fe80::7%eth0"), ("host.example:4711", "host.example"),
    ])
    func `an address is read and written the same`(text: String, host: String) throws {
        let endpoint = try #require(Endpoint(text))
        #expect(endpoint.host == host)
        #expect(endpoint.port == 4711)
        #expect(endpoint.description == text)
    }

    @Test(arguments: [
        "", ":1", "a", "a:", "a:0", "a:65536", "a:-1", "2001:db8::7:4711", "[host]:1", "[]:1",
        "a b:1", "a/b:1", "ä:1", "[fe80::7%]x:1", "127.0.0.1:+5", "%00:5", "a%eth0:1",
        "[fe80::7%]:1", "[fe80::7%a%b]:1", "a:５",
    ])
    func `text that cannot be dialled is not an address`(text: String) {
        #expect(Endpoint(text) == nil)
    }

    @Test func `the longest host passes and one byte more does not`() {
        let host = String(repeating: "a", count: Endpoint.hostBytesMax)
        #expect(Endpoint("\(host):1") != nil)
        #expect(Endpoint("\(host)a:1") == nil)
    }

    @Test func `a link-local address keeps the interface as its scope`() throws {
        let local = try #require(InternetAddress(text: "fe80::1"))
        #expect(Endpoint(address: local, port: 9, interface: eth0).host == "fe80::1%eth0")
        let global = try #require(InternetAddress(text: "2001:db8::1"))
        #expect(Endpoint(address: global, port: 9, interface: eth0).host == "2001:db8::1")
    }

    @Test(arguments: [
        "0.0.0.0", "224.0.0.251", "255.255.255.255", "::", "ff02::fb", "::ffff:10.0.0.1",
        "::7f00:1",
    ])
    func `an address of many hosts or of none is not one host`(text: String) throws {
        #expect(!(try #require(InternetAddress(text: text)).isOneHost))
    }

    @Test(arguments: ["10.0.0.1", "192.168.1.2", "fe80::1", "2001:db8::1", "127.0.0.1", "::1"])
    func `an address of one host is one`(text: String) throws {
        let address = try #require(InternetAddress(text: text))
        #expect(address.isOneHost)
        #expect(address.text == text)
    }
}
