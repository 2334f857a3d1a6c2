/// Why an edit of one's own was refused. One's own mistakes are never authored.
public enum EditFault: Error, Hashable, Sendable {
    /// No collection of this name is declared.
    case unknownCollection(String)
    /// The collection may not be written in a space of this kind.
    case wrongSpace(collection: String, SpaceKind)
    /// The collection declares no field of this name.
    case unknownField(collection: String, field: String)
    /// No entity of this id is here.
    case unknownEntity(collection: String, EntityID)
    /// The value is of another type than the field, or over its limit.
    case notAdmitted(field: String, FieldType)
    /// The field merges in another way: only a set takes additions, only a counter counts.
    case wrongVerb(field: String, MergeRule)
    /// The field's writer rule names somebody else.
    case notTheWriter(field: String, WriterRule)
    /// The field was written once, when its entity began.
    case immutable(field: String)
    /// An entity of a collection that can be erased is written with other entities in one batch.
    case notAlone(collection: String)
    /// One's own batches about the entity hold something else too, or have no salt.
    case notErasable(collection: String, EntityID)
    /// The edits change nothing: none were given, or only removals of elements not in their sets.
    case nothingToWrite
    /// Nobody is granted anything in, removed from or can leave a space of this kind.
    case notAGroup(SpaceKind)
    /// Only owners grant and remove.
    case notAnOwner
    /// The person belongs to the space no longer, or never did.
    case notAMember(PersonID)
    /// The person belongs to the space already.
    case isMember(PersonID)
    /// The person is an owner as senior as oneself, or more; or a more senior owner's word about
    /// the person stands.
    case outranked(PersonID)
    /// The role is lower than the present one: without a cut, everything written would be void.
    case demotesWithoutCut(PersonID)
    /// More logs would have to be named than a cut can name.
    case tooManyLogs(PersonID)
}

extension EditFault {
    /// The field at fault, where it is a field.
    public var field: String? {
        switch self {
        case .unknownField(_, let field), .notAdmitted(let field, _), .wrongVerb(let field, _),
            .notTheWriter(let field, _), .immutable(let field):
            field
        case .unknownCollection, .wrongSpace, .unknownEntity, .notAlone, .notErasable,
            .nothingToWrite, .notAGroup, .notAnOwner, .notAMember, .isMember, .outranked,
            .demotesWithoutCut, .tooManyLogs:
            nil
        }
    }
}

extension EditFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownCollection(let name): "no collection is named \(name)"
        case .wrongSpace(let collection, let kind):
            "\(collection) is not written in a \(kind.word) space"
        case .unknownField(let collection, let field): "\(collection) has no field \(field)"
        case .unknownEntity(let collection, let entity):
            "\(collection) has no entity \(entity) in this space"
        case .notAdmitted(let field, let type): "\(field) takes \(type)"
        case .wrongVerb(let field, let rule): "\(field) \(rule)"
        case .notTheWriter(let field, let rule): "\(field) is written by \(rule) alone"
        case .immutable(let field): "\(field) cannot be changed after it was created"
        case .notAlone(let collection):
            "a record of \(collection) can be erased, so a batch that writes one writes nothing else"
        case .notErasable(let collection, let entity):
            "\(entity) of \(collection) cannot be erased: it was written together with other "
                + "records, or in a way that leaves its hash guessable"
        case .nothingToWrite: "there is nothing to change"
        case .notAGroup(let kind):
            "who belongs to a \(kind.word) space is settled; only groups have invitations"
        case .notAnOwner: "only an owner of the group may do this"
        case .notAMember(let person): "\(person.suffix) is not in this group"
        case .isMember(let person): "\(person.suffix) is in this group already"
        case .outranked(let person):
            "what a more senior owner said of \(person.suffix) stands; ask that owner"
        case .demotesWithoutCut(let person):
            "remove \(person.suffix) and grant the lower role in one batch, so that what they "
                + "wrote stays"
        case .tooManyLogs(let person):
            "\(person.suffix) has written from more devices than one removal can name"
        }
    }
}

extension FieldType: CustomStringConvertible {
    public var description: String {
        switch self {
        case .boolean: "true or false"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .real: "a finite number"
        case .text(let limit): "text of up to \(limit) bytes"
        case .bytes(let limit): "up to \(limit) bytes"
        case .key: "a key of 32 bytes"
        case .texts(let count, let limit): "up to \(count) texts of up to \(limit) bytes each"
        }
    }
}

extension MergeRule: CustomStringConvertible {
    public var description: String {
        switch self {
        case .lastWriter, .firstWriter: "takes a value"
        case .addWinsSet: "is a set: add elements or remove them"
        case .append: "takes a value when its entity is created"
        case .counter: "is a counter: count by a number"
        }
    }
}

extension WriterRule: CustomStringConvertible {
    public var description: String {
        switch self {
        case .creator: "its creator"
        case .owner: "the owner of the space"
        case .anyMember: "any member"
        case .named(let field): "the person named in \(field)"
        }
    }
}
