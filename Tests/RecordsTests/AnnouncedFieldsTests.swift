import Records
import Testing

@Suite struct AnnouncedFieldsTests {
    private func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 7, count: count) }

    /// The fields with another one, or nil if it is refused.
    private func adding(
        _ key: String, _ bytes: [UInt8], to fields: AnnouncedFields = AnnouncedFields()
    ) -> AnnouncedFields? {
        var fields = fields
        return fields.insert(key, bytes) ? fields : nil
    }

    private func full(_ keys: String, bytes count: Int) -> AnnouncedFields {
        var fields = AnnouncedFields()
        for key in keys { fields.insert(String(key), bytes(count)) }
        return fields
    }

    @Test(arguments: ["a", "ab", "abc", "zzz"])
    func `one to three lower-case letters are a key`(key: String) {
        #expect(adding(key, [1])?[key] == [1])
    }

    @Test(arguments: ["", "abcd", "A", "a1", "é", "a ", "v", "t"])
    func `other keys, and those of the node itself, are invalid`(key: String) {
        #expect(adding(key, [1]) == nil)
    }

    @Test func `a field has 1 to 96 bytes and appears once`() throws {
        #expect(adding("n", []) == nil)
        #expect(adding("n", bytes(97)) == nil)
        let fields = try #require(adding("n", bytes(96)))
        #expect(fields.bytesCount == 99)
        #expect(adding("n", [1], to: fields) == nil)
    }

    @Test func `interests are 22 lower-case hexadecimal digits`() throws {
        let form = try #require(AnnouncedFields.fixedForms["i"])
        let digits = Array("0123456789abcdef012345".utf8)
        #expect(form.admits(digits))
        #expect(!form.admits(digits.dropLast()))
        #expect(!form.admits(digits + [0x30]))
        for digit in "gA/:".utf8 { #expect(!form.admits(digits.dropLast() + [digit])) }
    }

    @Test func `14 fields fit and one more does not`() throws {
        let thirteen = full("abcdefghijklm", bytes: 1)
        let all = try #require(adding("n", [1], to: thirteen))
        #expect(all.keys.count == 14)
        #expect(adding("o", [1], to: all) == nil)
    }

    @Test func `377 bytes fit and one more does not`() {
        let three = full("abc", bytes: 96)
        #expect(adding("d", bytes(77), to: three)?.bytesCount == 377)
        #expect(adding("d", bytes(78), to: three) == nil)
    }

    @Test func `only fields with the given keys are kept`() {
        let three = full("abc", bytes: 1)
        #expect(three.only(["a", "c", "d"]).keys == ["a", "c"])
        #expect(three.only(["a"]).bytesCount == 4)
    }
}
