/// The reason a local edit was refused. A refused edit is never written to a log.
public enum EditFault: Error, Hashable, Sendable {
    /// No collection of this name is declared.
    case unknownCollection(String)
    /// The collection may not be written in a space of this kind.
    case wrongSpace(collection: String, SpaceKind)
    /// The collection declares no field of this name.
    case unknownField(collection: String, field: String)
    /// The space has no entity with this id.
    case unknownEntity(collection: String, EntityID)
    /// The value is of another type than the field, or over the field's limit.
    case notAdmitted(field: String, FieldType)
    /// The edit does not fit the field's merge rule: only a set takes additions, only a counter is
    /// counted.
    case wrongVerb(field: String, MergeRule)
    /// The field's writer rule names another person.
    case notTheWriter(field: String, WriterRule)
    /// The field can only be written when its entity is created.
    case immutable(field: String)
    /// The content of a blob was not put into this space before.
    case contentMissing(field: String)
    /// An entity of an erasable collection is written together with other entities in one batch.
    case notAlone(collection: String)
    /// This person's batches about the entity also write something else, or have no salt.
    case notErasable(collection: String, EntityID)
    /// Each person has one record of the collection in a space, and it is not begun by `create`.
    case onePerPerson(collection: String)
    /// The edits change nothing: there are none, or they only remove elements that are not in their
    /// sets.
    case nothingToWrite
    /// A space of this kind has no grants, no removals and no leaving.
    case notAGroup(SpaceKind)
    /// Only owners may grant and remove.
    case notAnOwner
    /// The person is not a member of the space, or no longer.
    case notAMember(PersonID)
    /// The person is a member of the space already.
    case isMember(PersonID)
    /// The person is an owner of the same or higher seniority, or a more senior owner's decision
    /// about the person applies.
    case outranked(PersonID)
    /// The role is lower than the current one. Without a cut, everything the person wrote would
    /// become void.
    case demotesWithoutCut(PersonID)
    /// The removal would have to list more logs than a cut can list.
    case tooManyLogs(PersonID)
}

extension EditFault {
    /// The field at fault, or nil if the fault is not about a field.
    public var field: String? {
        switch self {
        case .unknownField(_, let field), .notAdmitted(let field, _), .wrongVerb(let field, _),
            .notTheWriter(let field, _), .immutable(let field), .contentMissing(let field):
            field
        case .unknownCollection, .wrongSpace, .unknownEntity, .notAlone, .notErasable,
            .onePerPerson, .nothingToWrite, .notAGroup, .notAnOwner, .notAMember, .isMember,
            .outranked,
            .demotesWithoutCut, .tooManyLogs:
            nil
        }
    }
}

extension EditFault: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .unknownCollection(let name): "no collection is named \(name)"
        case .wrongSpace(let collection, let kind):
            "\(collection) is not written in a \(kind.name) space"
        case .unknownField(let collection, let field): "\(collection) has no field \(field)"
        case .unknownEntity(let collection, let entity):
            "\(collection) has no entity \(entity) in this space"
        case .notAdmitted(let field, let type): "\(field) takes \(type)"
        case .wrongVerb(let field, let rule): "\(field) \(rule)"
        case .notTheWriter(let field, let rule): "\(field) is written by \(rule) alone"
        case .immutable(let field): "\(field) cannot be changed after it was created"
        case .contentMissing(let field):
            "the content of \(field) is not in this space; put it there first"
        case .notAlone(let collection):
            "a record of \(collection) can be erased, so its batch may not write anything else"
        case .notErasable(let collection, let entity):
            "\(entity) of \(collection) cannot be erased: it was written together with other "
                + "records, or in a way that leaves its hash guessable"
        case .onePerPerson(let collection):
            "a person has one record of \(collection) in a space; write it as their own"
        case .nothingToWrite: "there is nothing to change"
        case .notAGroup(let kind):
            "the members of a \(kind.name) space are fixed; only groups have invitations"
        case .notAnOwner: "only an owner of the group may do this"
        case .notAMember(let person): "\(person.suffix) is not in this group"
        case .isMember(let person): "\(person.suffix) is in this group already"
        case .outranked(let person):
            "a more senior owner decided about \(person.suffix); ask that owner"
        case .demotesWithoutCut(let person):
            "remove \(person.suffix) and grant the lower role in one batch, so that what they "
                + "wrote stays"
        case .tooManyLogs(let person):
            "\(person.suffix) has written from more devices than one removal can name"
        }
    }
}

extension FieldType: CustomStringConvertible {
    /// The values that the field accepts, in words.
    public var description: String {
        switch self {
        case .boolean: "true or false"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .real: "a finite number"
        case .text(let limit): "text of up to \(limit) bytes"
        case .bytes(let limit): "up to \(limit) bytes"
        case .key: "a key of 32 bytes"
        case .texts(let count, let limit): "up to \(count) texts of up to \(limit) bytes each"
        case .blob(let kinds, let limit):
            "up to \(limit) bytes of \(kinds.joined(separator: " or "))"
        }
    }
}

extension MergeRule: CustomStringConvertible {
    /// The edits that the field accepts, in words.
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
    /// The writer, in words.
    public var description: String {
        switch self {
        case .creator: "its creator"
        case .owner: "the owner of the space"
        case .anyMember: "any member"
        case .named(let field): "the person named in \(field)"
        }
    }
}
