/// A person as a vCard (RFC 6350) has them: their profile and their photo.
///
/// ```swift
/// let contact = Contact(uid: uid, profile: ProfileFields(nickname: "Mina"), photo: jpeg)
/// let file = contact.vCard  // BEGIN:VCARD …
/// let read = try Contact(vCard: Array(file.utf8))
/// ```
/// A vCard has no fields for a dog. They are in extended ones, such as `X-WAGGLE-DOG-NAME`, and
/// the text of ``notes`` says the same to other programs.
public struct Contact: Hashable, Sendable {
    /// The id, which stays the same when the contact changes; empty if the file has none.
    public var uid: String
    /// The profile: the name of the person, and their dog.
    public var profile: ProfileFields
    /// Words about the person for a reader.
    public var notes: String?
    /// The photo, a JPEG or PNG; nil if there is none.
    public var photo: [UInt8]?
    /// The moment of the last change, if it is known.
    public var changed: Timestamp?

    /// Creates a contact.
    public init(
        uid: String, profile: ProfileFields, notes: String? = nil, photo: [UInt8]? = nil,
        changed: Timestamp? = nil
    ) {
        self.uid = uid
        self.profile = profile
        self.notes = notes
        self.photo = photo
        self.changed = changed
    }

    /// The names of the extended fields.
    enum Extension: String {
        case dogName = "X-WAGGLE-DOG-NAME"
        case age = "X-WAGGLE-DOG-AGE"
        case sex = "X-WAGGLE-DOG-SEX"
        case neutered = "X-WAGGLE-DOG-NEUTERED"
        case size = "X-WAGGLE-DOG-SIZE"
        case keywords = "X-WAGGLE-DOG-KEYWORDS"
    }
}
