public import Contract

extension CommandFault {
    /// Returns the fault as a window shows it: a whole sentence, with the labels of a form in place
    /// of the parameters' names, as in "Your name must have 1 to 20 characters; it has 21."
    /// - Parameter labels: the label of each parameter, by its name in JSON.
    public func shown(labels: [String: String] = [:]) -> String {
        guard case .usage(_, let field?) = self, let label = labels[field] else {
            return reason.whole
        }
        return Self.named(label, insteadOf: field, in: reason).whole
    }

    private static func named(
        _ label: String, insteadOf field: String, in reason: Sentence
    ) -> Sentence {
        if reason.template == "'%1' %2", reason.arguments.count == 2,
            case .text(field) = reason.arguments[0], case .sentence(let rule) = reason.arguments[1]
        {
            return Sentence(verbatim: "\(TopicText.marked(label)) \(localized(rule))")
        }
        let text = localized(reason)
        guard text.hasPrefix("'\(field)' ") else { return reason }
        return Sentence(verbatim: label + text.dropFirst(field.count + 2))
    }
}

extension Sentence {
    /// The sentence in the language of the process, with a capital letter first and a full stop
    /// last. A text that it inserts first, such as a name, stays as it is.
    fileprivate var whole: String {
        let text = localized(self)
        let isOwnWord = text.first == template.first
        let begin = isOwnWord ? text.prefix(1).uppercased() : String(text.prefix(1))
        // A mark inside quotation marks or brackets ends the sentence too.
        let last = text.last { !"”’\"')".contains($0) }
        let hasEnd = last.map { ".!?…".contains($0) } ?? true
        return begin + text.dropFirst() + (hasEnd ? "" : ".")
    }
}
