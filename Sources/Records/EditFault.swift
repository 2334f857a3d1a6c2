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
    /// The edits change nothing: none were given, or only removals of elements not in their sets.
    case nothingToWrite
}

extension EditFault {
    /// The field at fault, where it is a field.
    public var field: String? {
        switch self {
        case .unknownField(_, let field), .notAdmitted(let field, _), .wrongVerb(let field, _),
            .notTheWriter(let field, _), .immutable(let field):
            field
        case .unknownCollection, .wrongSpace, .unknownEntity, .nothingToWrite: nil
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
        case .nothingToWrite: "there is nothing to change"
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
