import Discovery
import Records
import Testing

struct AnnouncementTextTests {
    private let tag = DeviceTag.sample(0x00ff_10a2_b3c4_d5e6)

    private func strings(_ texts: String...) -> [[UInt8]] {
        texts.map { Array($0.utf8) }
    }

    /// Returns a string "x=…" of this number of bytes, without its length byte.
    private func padding(bytes: Int) -> [UInt8] {
        Array("x=".utf8) + [UInt8](repeating: 0x61, count: bytes - 2)
    }

    private func read(_ strings: [[UInt8]]) throws(AnnouncementFault) -> Announcement {
        try Announcement(text: strings, port: 4711)
    }

    private func fields(_ values: KeyValuePairs<String, String>) -> AnnouncedFields {
        var fields = AnnouncedFields()
        for (key, value) in values { fields.insert(key, Array(value.utf8)) }
        return fields
    }

    @Test func `an announcement is unchanged after encoding`() throws {
        let announcement = try #require(
            Announcement(
                tag: tag, port: 4711,
                fields: fields(["n": "산책가", "g": "👨‍👩‍👧 Rex", "f": "ds", "abc": "\u{0}=\u{ff}"])))
        #expect(try Announcement(text: announcement.text, port: 4711) == announcement)
    }

    @Test func `version and tag come before the fields, which are in order`() throws {
        let announcement = try #require(
            Announcement(
                tag: tag, port: 4711, fields: fields(["n": "Mari", "g": "보리", "f": "d"])))
        #expect(
            announcement.text
                == strings("v=1", "t=00ff10a2b3c4d5e6", "f=d", "g=보리", "n=Mari"))
        let alone = try #require(Announcement(tag: tag, port: 4711))
        #expect(alone.text == strings("v=1", "t=00ff10a2b3c4d5e6"))
    }

    @Test func `the longest announcement fits`() throws {
        var fields = AnnouncedFields()
        for key in ["a", "b", "c"] {
            fields.insert(key, [UInt8](repeating: 0xff, count: 96))
        }
        fields.insert("d", [UInt8](repeating: 0xff, count: 77))
        #expect(fields.bytesCount == Limits.announcedBytesMax)
        let announcement = try #require(Announcement(tag: tag, port: 65_535, fields: fields))
        let bytes = announcement.text.reduce(0) { $0 + $1.count + 1 }
        #expect(bytes == DiscoveryLimits.textBytesMax)
        #expect(try Announcement(text: announcement.text, port: 65_535) == announcement)
    }

    @Test func `an announcement with port or version 0 is refused`() {
        #expect(Announcement(tag: tag, port: 0) == nil)
        #expect(Announcement(protocolVersion: 0, tag: tag, port: 1) == nil)
        #expect(throws: AnnouncementFault.noPort) {
            try Announcement(text: strings("v=1", "t=00ff10a2b3c4d5e6"), port: 0)
        }
    }

    @Test func `the limit of bytes passes and one more does not`() throws {
        let known = strings("v=1", "t=00ff10a2b3c4d5e6")
        let rest = DiscoveryLimits.textBytesMax - known.reduce(0) { $0 + $1.count + 1 }
        let half = padding(bytes: 200)
        _ = try read(known + [half, padding(bytes: rest - 201 - 1)])
        #expect(throws: AnnouncementFault.tooLong(bytes: DiscoveryLimits.textBytesMax + 1)) {
            try read(known + [half, padding(bytes: rest - 201)])
        }
    }

    @Test func `the limit of strings passes and one more does not`() throws {
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
    func `only plain numbers from 1 to 255 are accepted as versions`(version: String) {
        #expect(throws: AnnouncementFault.badVersion) {
            try read(strings(version, "t=00ff10a2b3c4d5e6"))
        }
    }

    @Test(arguments: [
        "t=00ff10a2b3c4d5e", "t=00ff10a2b3c4d5e6a", "t=00FF10A2B3C4D5E6", "t=+0ff10a2b3c4d5e6",
        "t=-0ff10a2b3c4d5e6", "t=00ff10a2b3c4d5eg", "t=", "u=1",
    ])
    func `only 16 lower-case digits are accepted as a tag`(tag: String) {
        #expect(throws: AnnouncementFault.badTag) { try read(strings("v=1", tag)) }
    }

    @Test func `a field of 96 bytes is accepted, and one of 97 or 0 is ignored`() throws {
        let known = strings("v=1", "t=00ff10a2b3c4d5e6")
        let longest = [UInt8](repeating: 0x61, count: 96)
        let read = try read(
            known + [
                Array("n=".utf8) + longest, Array("g=".utf8) + longest + [0x61],
                Array("f=".utf8), Array("s".utf8),
            ])
        #expect(read.fields.keys == ["n"])
        #expect(read.fields["n"] == longest)
    }

    @Test func `a key has one to three letters`() throws {
        let read = try read(
            strings(
                "v=1", "t=00ff10a2b3c4d5e6", "a=1", "abc=3", "abcd=4", "a1=x", "é=x", "=x", "Q=9"))
        #expect(read.fields == fields(["a": "1", "abc": "3", "q": "9"]))
    }

    @Test func `bytes that are no text are a plugin's to judge`() throws {
        let known = strings("v=1", "t=00ff10a2b3c4d5e6")
        let name = Array("n=".utf8) + [0xFF, 0xFE]
        #expect(try read(known + [name]).fields["n"] == [0xFF, 0xFE])
        _ = try read(known + [[0xFF, 0x3D, 0xFE], [], [0x3D], Array("=n".utf8)])
        #expect(throws: AnnouncementFault.badVersion) {
            try read([Array("v=".utf8) + [0xFF], known[1]])
        }
        #expect(throws: AnnouncementFault.badTag) {
            try read([known[0], Array("t=".utf8) + [0xFF]])
        }
    }

    @Test func `a repeated key is refused, in capitals too`() {
        #expect(throws: AnnouncementFault.duplicateKey("v")) {
            try read(strings("v=1", "t=00ff10a2b3c4d5e6", "V=2"))
        }
    }

    @Test func `a repeated field is ignored, and the others count`() throws {
        let announcement = try read(
            strings("v=9", "t=00ff10a2b3c4d5e6", "f=zsq", "zz=1", "ZZ=2", "zz=3"))
        #expect(announcement.protocolVersion == 9)
        #expect(announcement.fields == fields(["f": "zsq"]))
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
