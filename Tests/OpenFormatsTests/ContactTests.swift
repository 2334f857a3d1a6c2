import Testing

@testable import OpenFormats

/// Contacts: written, read back, and as other programs write them.
struct ContactTests {
    private func contact(_ lines: String) throws(FormatFault) -> Contact {
        try Contact(vCard: Array("BEGIN:VCARD\nVERSION:4.0\n\(lines)\nEND:VCARD\n".utf8))
    }

    @Test func `a contact is written as a vCard 4`() {
        let contact = Contact(
            uid: "urn:uuid:1", profile: ProfileFields(nickname: "Mina", dogName: "Bori", age: 3),
            notes: "Dog: Bori", photo: [0xFF, 0xD8, 0xFF, 0xE0], changed: .min)
        let lines = [
            "BEGIN:VCARD", "VERSION:4.0", "PRODID:-//Waggle//Waggle//EN", "KIND:individual",
            "UID:urn:uuid:1", "FN:Mina", "NICKNAME:Mina", "REV:19700101T000000Z",
            "NOTE:Dog: Bori", "X-WAGGLE-DOG-NAME:Bori", "X-WAGGLE-DOG-AGE:3",
            "PHOTO:data:image/jpeg;base64,/9j/4A==", "END:VCARD", "",
        ]
        #expect(contact.vCard == lines.joined(separator: "\r\n"))
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `a contact is the same after it was written and read`(seed: UInt64) throws {
        var random = Seeded(seed)
        let photo = (0..<Int.random(in: 1...500, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
        let contact = Contact(
            uid: "urn:uuid:\(random.next())",
            profile: ProfileFields(
                nickname: random.text(countMax: 20), dogName: random.text(countMax: 15),
                age: Int.random(in: 0...99, using: &random),
                sex: [nil, .male, .female].randomElement(using: &random) ?? nil,
                neutered: [nil, true, false].randomElement(using: &random) ?? nil,
                size: [nil, .small, .medium, .big].randomElement(using: &random) ?? nil,
                keywords: [nil, [.smart], [.shy, .friendly]].randomElement(using: &random) ?? nil),
            notes: random.text(countMax: 100), photo: [0xFF, 0xD8, 0xFF] + photo,
            changed: random.moment())
        #expect(try Contact(vCard: Array(contact.vCard.utf8)) == contact)
    }

    @Test(arguments: [
        ("ios.vcf", "Mina"), ("android.vcf", "미나 김"), ("nextcloud.vcf", "Jörgi"),
    ])
    func `a contact of another program is read with its photo`(
        name: String, nickname: String
    ) throws {
        let contact = try Contact(vCard: try Sample.bytes(name))
        #expect(contact.profile == ProfileFields(nickname: nickname))
        #expect(contact.photo == Sample.photo)
    }

    @Test func `the name comes from the nickname, the formatted name, or its parts`() throws {
        #expect(try contact("FN:A B\nN:B;A;;;\nNICKNAME:Ab\\, x,C").profile.nickname == "Ab, x")
        #expect(try contact("FN:A B\nN:B;A;;;\nNICKNAME: ").profile.nickname == "A B")
        #expect(try contact("N:B\\;b;A;;;").profile.nickname == "A B;b")
        #expect(try contact("TEL:1").profile.nickname == nil)
    }

    @Test func `malformed fields are left out, and a photo at an address is not fetched`() throws {
        let read = try contact(
            """
            FN:A
            PHOTO:https://example.com/a.jpg
            PHOTO;ENCODING=b:!!!
            PHOTO:data:image/png,plain
            X-WAGGLE-DOG-AGE:99999999999999999999
            X-WAGGLE-DOG-SEX:both
            X-WAGGLE-DOG-NEUTERED:maybe
            X-WAGGLE-DOG-KEYWORDS:loud SMART
            REV:00010101T000000Z
            """)
        #expect(read == Contact(uid: "", profile: ProfileFields(nickname: "A", keywords: [.smart])))
    }

    @Test func `quoted-printable is decoded, and what is malformed in it stays`() throws {
        let head = "FN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:"
        #expect(try contact(head + "=ED=99=8D=3D").profile.nickname == "홍=")
        #expect(try contact(head + "=G1=4").profile.nickname == "=G1=4")
        #expect(try contact(head + "=ED=99").profile.nickname == "\u{FFFD}")
    }

    @Test func `a calendar is no contact`() {
        #expect(throws: FormatFault.nothing(.contact)) {
            try Contact(vCard: Array("BEGIN:VCALENDAR\nEND:VCALENDAR".utf8))
        }
        #expect(throws: FormatFault.nothing(.contact)) { try Contact(vCard: []) }
    }

    @Test func `a file at the limit is read and one byte more is not`() throws {
        let limit = FormatLimits.contactBytesMax
        let card = Array("BEGIN:VCARD\nFN:A\nEND:VCARD\n".utf8)
        let filled = card + [UInt8](repeating: UInt8(ascii: "X"), count: limit - card.count)
        #expect(try Contact(vCard: filled).profile.nickname == "A")
        #expect(throws: FormatFault.tooLong(limit: limit)) {
            try Contact(vCard: filled + [UInt8(ascii: "X")])
        }
    }
}
