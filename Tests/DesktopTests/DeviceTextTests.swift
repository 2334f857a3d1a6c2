import Contract
import FeaturesAPI
import PanelKit
import TestSupport
import Testing

@testable import Desktop

/// The texts of the user's devices on the profile page.
@MainActor
@Suite struct DeviceTextTests {
    private let now = Timestamp(milliseconds: 1_700_000_000_000)

    private func device(
        _ digit: Character, name: String?, isThis: Bool = false, linked: Bool = false,
        seen: Timestamp? = nil, outranked: Sentence? = nil
    ) throws -> DeviceList.Device {
        let key = try Key(String(repeating: digit, count: 64))
        return DeviceList.Device(
            device: key, suffix: try KeySuffix(String(repeating: digit, count: 6)),
            name: name, isThis: isThis, linked: linked, seenMs: seen, outranked: outranked)
    }

    @Test func `devices of one name, or of none, are told apart by their keys`() throws {
        let devices = [
            try device("1", name: "laptop"), try device("2", name: "phone"),
            try device("3", name: "phone"), try device("4", name: nil),
        ]
        #expect(
            devices.map { DeviceText.name(of: $0, among: devices) }
                == ["laptop", "phone · 222222", "phone · 333333", "Device 444444"])
    }

    @Test func `each device says whether it is here, and else when it was seen`() throws {
        let states = [
            try device("1", name: nil, isThis: true, linked: true),
            try device("2", name: nil, linked: true),
            try device("3", name: nil, seen: now - .seconds(7200)), try device("4", name: nil),
        ].map { DeviceText.state(of: $0, now: now) }
        #expect(
            states == ["This device", "Connected now", "Last seen 2 h ago", "Not seen yet"])
    }

    @Test func `a removal says what is lost, and why words are needed`() throws {
        let plain = try device("1", name: "phone")
        let senior = try device("2", name: "laptop", outranked: "Give your words.")
        let list = DeviceList(devices: [plain, senior], caution: "Meet your mates.", locked: nil)
        let text = DeviceText.consequences(of: list, for: senior)
        #expect(text.hasSuffix("stays. Meet your mates. Give your words."))
        #expect(!DeviceText.consequences(of: list, for: plain).contains("words"))
    }
}
