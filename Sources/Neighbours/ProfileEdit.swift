internal import PluginKit

/// What `me edit` asks for, checked.
struct ProfileEdit {
    /// The new values; null clears a field.
    let values: [ProfileField: Value]
    /// The fields to keep private from now on, or nil to leave that as it is.
    let keptPrivate: Set<ProfileField>?

    /// Checks what was given.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the first rule that is broken, in the order
    ///   nothing given, a value, a field cleared, a field kept.
    init(_ arguments: Arguments) throws(CommandFault) {
        var values: [ProfileField: Value] = [:]
        for field in ProfileField.allCases {
            if let given = arguments[field.name] { values[field] = try field.checked(given) }
        }
        for name in arguments.texts("clear") ?? [] {
            let field = try Self.optionalField(name, of: "clear")
            guard values.updateValue(.null, forKey: field) == nil else {
                throw .usage("'\(name)' is both given and cleared.", field: "clear")
            }
        }
        var kept: Set<ProfileField>?
        if let names = arguments.texts("keptPrivate") {
            kept = []
            for name in names where !name.isEmpty {
                kept?.insert(try Self.optionalField(name, of: "keptPrivate"))
            }
        }
        guard !values.isEmpty || kept != nil else {
            throw .usage("Say what to change: give at least one field of the profile.")
        }
        self.values = values
        keptPrivate = kept
    }

    /// A profile after the edit.
    func applied(to profile: Profile) -> Profile {
        Profile(profile.values.merging(values) { _, new in new })
    }

    private static func optionalField(
        _ name: String, of parameter: String
    ) throws(CommandFault) -> ProfileField {
        let names = ProfileField.allCases.filter(\.isOptional).map(\.name)
        guard let field = ProfileField(rawValue: name), field.isOptional else {
            throw .usage(
                "'\(parameter)' takes only \(names.joined(separator: ", ")); a profile always "
                    + "shows a nickname and a dog's name.", field: parameter)
        }
        return field
    }
}
