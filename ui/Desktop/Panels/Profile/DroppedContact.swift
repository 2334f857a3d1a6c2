import Contract
import FeaturesAPI
import OpenFormats

/// A contact file that was dropped on the window, to fill the form of the user's card.
struct DroppedContact: Equatable, Sendable {
    /// The ending of such files.
    static let ending = "vcf"

    /// The fields, within their limits.
    let profile: ShownProfile
    /// The photo; nil if the file has none.
    let photo: [UInt8]?

    /// Reads a file away from the main loop.
    /// - Throws: ``CommandFault`` if it cannot be read, or ``FormatFault``.
    @concurrent static func read(_ path: String) async throws -> DroppedContact {
        let bytes = try DroppedFile.bytes(of: path, bytesMax: FormatLimits.contactBytesMax)
        let contact = try Contact(vCard: bytes)
        return DroppedContact(profile: ShownProfile(contact.profile), photo: contact.photo)
    }
}

extension ProfileForm {
    /// Fills in the fields that a contact has; the others stay as they are.
    mutating func fill(_ contact: ShownProfile) {
        nickname = contact.nickname?.string ?? nickname
        dogName = contact.dogName?.string ?? dogName
        age = contact.age.map { "\($0.value)" } ?? age
        sex = contact.sex ?? sex
        neutered = contact.neutered ?? neutered
        size = contact.size ?? size
        if let words = contact.keywords {
            keywords = Array(words.prefix(DogKeywords.count.upperBound))
        }
    }
}
