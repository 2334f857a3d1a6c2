public import Contract

extension CommandFault {
    /// Returns the fault in the spelling of the command line: `--age` instead of `'age'` if that
    /// parameter is an option. A positional parameter keeps its name. The sentence is then in the
    /// language of the process.
    public func asTyped(for declaration: CommandDeclaration) -> CommandFault {
        guard case .usage(_, let field?) = self,
            let parameter = declaration.parameters.first(where: { $0.name == field }),
            !parameter.isPositional
        else { return self }
        let typed = sentence.replacing("'\(field)'", with: parameter.option, maxReplacements: 1)
        return .usage(Sentence(verbatim: typed), field: field)
    }
}
