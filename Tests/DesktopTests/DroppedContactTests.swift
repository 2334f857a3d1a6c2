import Contract
import Foundation
import OpenFormats
import TestSupport
import Testing

@testable import Desktop

/// The contact file that is dropped on the window.
struct DroppedContactTests {
    private func write(_ text: String) throws -> String {
        let path = try TestDirectory.newPath("me.vcf")
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    @Test func `a contact fills the form, and fields that it lacks stay`() async throws {
        let contact = Contact(
            uid: "1",
            profile: ProfileFields(nickname: "Mina", age: 3, keywords: [.smart, .shy, .friendly]),
            photo: [0xFF, 0xD8, 0xFF, 0xE0])
        let dropped = try await DroppedContact.read(write(contact.vCard))
        #expect(dropped.photo == contact.photo)
        var form = ProfileForm()
        form.dogName = "Bori"
        form.age = "9"
        form.fill(dropped.profile)
        #expect(form.nickname == "Mina" && form.dogName == "Bori" && form.age == "3")
        #expect(form.keywords == [.smart, .shy] && form.isValid)
    }

    @Test func `a file that is no contact is refused with a sentence`() async throws {
        let path = try write("BEGIN:VCALENDAR\nEND:VCALENDAR\n")
        await #expect(throws: FormatFault.nothing(.contact)) {
            _ = try await DroppedContact.read(path)
        }
    }

    @Test func `a file one byte over the limit is refused`() async throws {
        let limit = FormatLimits.contactBytesMax
        let path = try write(String(repeating: " ", count: limit + 1))
        await #expect(throws: FormatFault.tooLong(limit: limit)) {
            _ = try await DroppedContact.read(path)
        }
    }
}
