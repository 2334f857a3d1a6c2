extension [PersonID: String] {
    /// Returns the name of a person for a sentence; words if no name is known, because nobody knows
    /// a person by the digits of a key. Two people without a name are told apart by them.
    ///
    /// ```swift
    /// let title: Sentence = "\(names.sentence(for: change.author)) waves at you"
    /// ```
    public func sentence(for person: PersonID) -> Sentence {
        if let name = self[person], name != person.suffix { return Sentence(verbatim: name) }
        let isOnlyOne = !contains { $0.key != person && $0.value == $0.key.suffix }
        return isOnlyOne
            ? "Someone without a name" : "Someone without a name (\(person.suffix))"
    }
}

extension PersonID {
    /// Returns a nickname that this person gave themselves, followed by the first digits of their
    /// key: anyone can give the nickname of a mate.
    public func called(_ nickname: String) -> String { "\(nickname) · \(suffix)" }
}
