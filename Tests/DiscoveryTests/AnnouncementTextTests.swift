import Discovery
import Testing

struct AnnouncementTextTests {
    private let tag = DeviceTag(hexadecimal: "00ff10a2b3c4d5e6")!

    private func strings(_ texts: String...) -> [[UInt8]] {
        texts.map { Array($0.utf8) }
    }

    /// A string "x=…" of so many bytes, its length byte not counted.
    private func padding(bytes: Int) -> [UInt8] {
        Array("x=".utf8) + [UInt8](repeating: 0x61, count: bytes - 2)
    }

    private func read(_ strings: [[UInt8]]) throws(AnnouncementFault) -> Announcement {
        try Announcement(text: strings, port: 4711)
    }

    @Test func `an announcement comes back as it was written`() throws {
        let introduction = Introduction(
            nickname: "산책가", dogName: "👨‍👩‍👧 Rex", interests: Interests([0, 1, 33, 50, 86]))
        let announcement = try #require(
            Announcement(
                tag: tag, port: 4711, dropOpen: true, seeking: true, introduction: introduction))
        #expect(try Announcement(text: announcement.text, port: 4711) == announcement)
    }

    @Test func `who is not visible announces tag, version and flags alone`() throws {
        let announcement = try #require(Announcement(tag: tag, port: 4711, dropOpen: true))
        #expect(announcement.text == strings("v=1", "t=00ff10a2b3c4d5e6", "f=d"))
    }

    @Test func `an introduction that shows nothing is none`() throws {
        let announcement = try #require(
            Announcement(tag: tag, port: 1, introduction: Introduction(nickname: " ")))
        #expect(announcement.introduction == nil)
    }

    @Test func `the longest announcement fits`() throws {
        let face = "👨‍👩‍👧‍👦"
        let introduction = Introduction(
            nickname: String(repeating: face, count: 8),
            dogName: String(repeating: face, count: 15), interests: Interests(77...86))
        let announcement = try #require(
            Announcement(
                protocolVersion: 255, tag: tag, port: 65_535, dropOpen: true, seeking: true,
                introduction: introduction))
        let bytes = announcement.text.reduce(0) { $0 + $1.count + 1 }
        #expect(bytes <= DiscoveryLimits.textBytesMax)
        #expect(announcement.introduction?.nickname == String(repeating: face, count: 3))
        #expect(try Announcement(text: announcement.text, port: 65_535) == announcement)
    }

    @Test func `port and version 0 are no announcement`() {
        #expect(Announcement(tag: tag, port: 0) == nil)
        #expect(Announcement(protocolVersion: 0, tag: tag, port: 1) == nil)
        #expect(throws: AnnouncementFault.noPort) {
            try Announcement(text: strings("v=1", "t=00ff10a2b3c4d5e6"), port: 0)
        }
    }

    @Test func `as many bytes as the limit pass and one more does not`() throws {
        let known = strings("v=1", "t=00ff10a2b3c4d5e6")
        let rest = DiscoveryLimits.textBytesMax - known.reduce(0) { $0 + $1.count + 1 }
        let half = padding(bytes: 200)
        _ = try read(known + [half, padding(bytes: rest - 201 - 1)])
        #expect(throws: AnnouncementFault.tooLong(bytes: DiscoveryLimits.textBytesMax + 1)) {
            try read(known + [half, padding(bytes: rest - 201)])
        }
    }

    @Test func `as many strings as the limit pass and one more does not`() throws {
        let known = strings("v=1", "t=00ff10a2b3c4d5e6")
        let limit = DiscoveryLimits.textStringsMax
        _ = try read(known + Array(repeating: [], count: limit - 2))
        #expect(throws: AnnouncementFault.tooManyStrings(count: limit + 1)) {
            try read(known + Array(repeating: [], count: limit - 1))
        }
    }

    @Test func `one string of 255 bytes passes and one of 256 does not`() throws {
        let known = strings("v=1", "t=00ff10a2b3c4d5e6")
        _ = try read(known + [padding(bytes: 255)])
        #expect(throws: AnnouncementFault.stringTooLong(bytes: 256)) {
            try read(known + [padding(bytes: 256)])
        }
    }

    @Test(arguments: ["v=0", "v=256", "v=01", "v=+1", "v=", "v", "v=1 ", "w=1"])
    func `only plain numbers from 1 to 255 are versions`(version: String) {
        #expect(throws: AnnouncementFault.badVersion) {
            try read(strings(version, "t=00ff10a2b3c4d5e6"))
        }
    }

    @Test(arguments: [
        "t=00ff10a2b3c4d5e", "t=00ff10a2b3c4d5e6a", "t=00FF10A2B3C4D5E6", "t=+0ff10a2b3c4d5e6",
        "t=-0ff10a2b3c4d5e6", "t=00ff10a2b3c4d5eg", "t=", "u=1",
    ])
    func `only 16 lower-case digits are a tag`(tag: String) {
        #expect(throws: AnnouncementFault.badTag) { try read(strings("v=1", tag)) }
    }

    @Test(arguments: [
        "n=", "n= a", "n=a ", "n=123456789", "n=a\nb", "n=a\u{0}b", "n=a\u{202E}b", "n=\u{200B}",
        "n=a\u{2028}b", "n=a\u{7F}",
    ])
    func `a name that cannot be shown on one line is refused`(name: String) {
        #expect(throws: AnnouncementFault.badName(key: "n")) {
            try read(strings("v=1", "t=00ff10a2b3c4d5e6", name))
        }
    }

    @Test func `names at their limits pass and one character more does not`() throws {
        let known = strings("v=1", "t=00ff10a2b3c4d5e6")
        let both = try read(known + strings("n=12345678", "g=123456789012345"))
        #expect(both.introduction?.nickname == "12345678")
        #expect(both.introduction?.dogName == "123456789012345")
        #expect(throws: AnnouncementFault.badName(key: "g")) {
            try read(known + strings("g=1234567890123456"))
        }
    }

    @Test func `one character of a thousand accents is refused`() {
        let name = "n=a" + String(repeating: "\u{301}", count: 60)
        #expect(throws: AnnouncementFault.badName(key: "n")) {
            try read(strings("v=1", "t=00ff10a2b3c4d5e6", name))
        }
    }

    @Test func `bytes that are no text are refused where they would be shown`() throws {
        let known = strings("v=1", "t=00ff10a2b3c4d5e6")
        #expect(throws: AnnouncementFault.badText(key: "n")) {
            try read(known + [Array("n=".utf8) + [0xFF, 0xFE]])
        }
        _ = try read(known + [[0xFF, 0x3D, 0xFE], [], [0x3D], Array("=n".utf8)])
    }

    @Test func `a key said twice is refused, in capitals too`() {
        #expect(throws: AnnouncementFault.duplicateKey("v")) {
            try read(strings("v=1", "t=00ff10a2b3c4d5e6", "V=2"))
        }
    }

    @Test func `flags and keys of newer nodes are passed over`() throws {
        let announcement = try read(strings("v=9", "t=00ff10a2b3c4d5e6", "f=zsq", "zz=1", "zz=2"))
        #expect(announcement.protocolVersion == 9)
        #expect(announcement.seeking)
        #expect(!announcement.dropOpen)
    }

    @Test func `random bytes never trap`() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("vtfngi=0123456789abcdef\u{0}".utf8) + [0x80, 0xC3, 0xFF]
        for _ in 0..<5000 {
            let strings = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                    alphabet.randomElement(using: &generator) ?? 0
                }
            }
            _ = try? read(self.strings("v=1", "t=00ff10a2b3c4d5e6") + strings)
            _ = try? read(strings)
        }
    }
}

struct InterestsTests {
    @Test func `5 and 10 interests pass, 4 and 11 do not`() {
        #expect(Interests(0..<4) == nil)
        #expect(Interests(0..<5)?.indices == [0, 1, 2, 3, 4])
        #expect(Interests(0..<10)?.indices.count == 10)
        #expect(Interests(0..<11) == nil)
    }

    @Test func `86 is the last interest`() {
        #expect(Interests([86, 3, 2, 1, 0])?.indices == [0, 1, 2, 3, 86])
        #expect(Interests([87, 3, 2, 1, 0]) == nil)
        #expect(Interests([-1, 3, 2, 1, 0]) == nil)
        #expect(Interests([0, 0, 1, 2, 3]) == nil)
    }

    @Test(arguments: [
        "i=", "i=f0000000000000000000000", "i=f000000000000000000008", "i=F100000000000000000000",
        "i=0f", "i=ffffffffffffffffffffff", "i=+100000000000000000000",
    ])
    func `interest bits that no chooser writes are refused`(text: String) {
        let strings = ["v=1", "t=00ff10a2b3c4d5e6", text].map { Array($0.utf8) }
        #expect(throws: AnnouncementFault.badInterests) {
            try Announcement(text: strings, port: 1)
        }
    }
}
