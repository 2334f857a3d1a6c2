public import PluginKit

extension CommandFault {
    /// The fault as somebody knows it who typed the command: `--age` in place of `'age'`, where
    /// that parameter is an option. A place has no other name than its parameter's.
    public func asTyped(for declaration: CommandDeclaration) -> CommandFault {
        guard case .usage(let sentence, let field?) = self,
            let parameter = declaration.parameters.first(where: { $0.name == field }),
            !parameter.isPositional
        else { return self }
        let typed = sentence.replacing("'\(field)'", with: parameter.option, maxReplacements: 1)
        return .usage(typed, field: field)
    }
}
