internal import FeaturesAPI
internal import PluginKit

extension Profiles {
    /// Performs `me import`: fields that the file does not have stay as they are.
    /// - Throws: ``CommandFault/refused(_:)`` if the file is no contact or has nothing to fill in.
    func importContact(_ request: ReadContact) async throws -> MyProfile {
        let contact = try await readContact(request.file)
        let read = Profile(card: contact.profile)
        guard !read.values.isEmpty || contact.photo != nil else {
            throw CommandFault.refused("\(request.file) has no name, dog or photo.")
        }
        // The picture is decoded before anything changes: a refusal keeps the profile.
        var picture: EncodedPhoto?
        if let photo = contact.photo {
            picture = try await context.photos.encode(.bytes(photo), for: .profile)
        }
        let before = try await myProfile()
        if !read.values.isEmpty {
            let values = before.whole.values.merging(read.values) { _, new in new }
            try await write(Profile(values), keeping: nil, over: before)
        }
        if let picture {
            try await photos.choose(picture, isPrivate: myProfile().keepsPhotoPrivate)
        }
        return try await showMe()
    }

    private func readContact(_ file: FilePath) async throws -> Contact {
        let bytes = try await context.files.read(file, bytesMax: FormatLimits.contactBytesMax)
        do throws(FormatFault) { return try Contact(vCard: bytes) } catch {
            throw CommandFault.refused("\(file) cannot be read. \(error)")
        }
    }
}
