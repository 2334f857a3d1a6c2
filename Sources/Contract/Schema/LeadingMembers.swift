/// A type of answers with members that tell its values apart, as names do. The command line shows
/// them directly after `name` and `title`, whatever they are called.
///
///     extension ShownProfile: LeadingMembers {
///         public static let leadingMembers: Set = ["dogName"]
///     }
public protocol LeadingMembers {
    /// The names in JSON.
    static var leadingMembers: Set<String> { get }
}

extension Schema {
    /// The names of the leading members of an object and of everything in it.
    public var leadingNames: Set<String> {
        switch self {
        case .any, .boolean, .integer, .number, .text: []
        case .list(let element, _): element.leadingNames
        case .map(let value): value.leadingNames
        case .object(let members, _):
            members.reduce(into: []) { names, member in
                if member.isLeading { names.insert(member.name) }
                names.formUnion(member.schema.leadingNames)
            }
        }
    }
}
