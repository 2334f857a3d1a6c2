public import Contract

extension CommandFault {
    /// Returns the sentence with the labels of a form in place of the parameters' names, as in
    /// "Your name must have 1 to 20 characters; it has 21".
    /// - Parameter labels: the label of each parameter, by its name in JSON.
    public func sentence(labels: [String: String]) -> String {
        let sentence = sentence
        guard case .usage(_, let field?) = self, let label = labels[field],
            sentence.hasPrefix("'\(field)' ")
        else { return sentence }
        return label + sentence.dropFirst(field.count + 2)
    }
}
