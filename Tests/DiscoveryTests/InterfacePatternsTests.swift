import Discovery
import Testing

struct InterfacePatternsTests {
    @Test(arguments: [
        "lo", "docker0", "docker_gwbridge", "br-1a2b3c", "veth12ab", "virbr0", "vnet3", "lxcbr0",
        "lxdbr0", "cni0", "podman1",
    ])
    func `containers, their bridges and the loopback are excluded`(name: String) {
        #expect(InterfacePatterns.usual.leaveOut(name))
    }

    @Test(arguments: ["eth0", "enp3s0", "wlan0", "wlp2s0", "br0", "tun0", "wg0", "lo1", "usb0"])
    func `interfaces to other people are not excluded`(name: String) {
        #expect(!InterfacePatterns.usual.leaveOut(name))
    }

    @Test func `another list replaces the usual one`() {
        let patterns = InterfacePatterns(["w*0", "*-guest"])
        #expect(patterns.leaveOut("wlan0"))
        #expect(patterns.leaveOut("w0"))
        #expect(patterns.leaveOut("eth-guest"))
        #expect(!patterns.leaveOut("wlan1"))
        #expect(!patterns.leaveOut("veth0"))
        #expect(!InterfacePatterns([]).leaveOut("lo"))
    }

    @Test func `a star also matches nothing, and an empty pattern matches no name`() {
        #expect(InterfacePatterns(["*"]).leaveOut("eth0"))
        #expect(InterfacePatterns(["e**t*h0*"]).leaveOut("eth0"))
        #expect(!InterfacePatterns([""]).leaveOut("eth0"))
        #expect(!InterfacePatterns(["eth"]).leaveOut("eth0"))
    }

    @Test func `a pattern with many stars is matched quickly`() {
        let pattern = String(repeating: "a*", count: 200) + "b"
        #expect(!InterfacePatterns([pattern]).leaveOut(String(repeating: "a", count: 2000)))
    }
}
