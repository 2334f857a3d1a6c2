/// A sentence with placeholders: `%1` to `%9`, and `%%` for a percent sign. A Korean template has
/// particles after placeholders, as in `%1{이/가}` or `“%1”{이/가}`; see ``Particle``.
struct Template: Hashable, Sendable {
    /// A part of a template.
    enum Piece: Hashable, Sendable {
        case text(String)
        /// An argument, by its index from 0.
        case argument(Int)
        /// A particle after the argument with an index.
        case particle(Particle, after: Int)
    }

    /// The reason that a template cannot be used.
    enum Fault: Error, Hashable {
        /// A percent sign without a digit from 1 to 9 or a second percent sign.
        case placeholder
        /// Braces after a placeholder that name no known particle.
        case particle
    }

    private(set) var pieces: [Piece] = []

    /// Reads a Korean template.
    /// - Throws: ``Fault``, for the first mistake.
    init(_ source: String) throws(Fault) {
        try read(source, strictly: true)
    }

    /// Reads an English template; a percent sign that begins no placeholder is text.
    init(lenient source: String) {
        try? read(source, strictly: false)
    }

    private mutating func read(_ source: String, strictly isStrict: Bool) throws(Fault) {
        var rest = source[...]
        while let percent = rest.utf8.firstIndex(of: UInt8(ascii: "%")) {
            append(rest[..<percent])
            rest = rest[rest.utf8.index(after: percent)...]
            if rest.first == "%" {
                append("%")
                rest = rest.dropFirst()
            } else if let number = rest.first?.wholeNumberValue, (1...9).contains(number),
                rest.first?.isASCII == true
            {
                rest = rest.dropFirst()
                pieces.append(.argument(number - 1))
                if isStrict { try readParticle(after: number - 1, &rest) }
            } else {
                guard !isStrict else { throw .placeholder }
                append("%")
            }
        }
        append(rest)
    }

    /// Reads the braces after a placeholder and the quotation marks that close behind it, if there
    /// are any.
    private mutating func readParticle(
        after argument: Int, _ rest: inout Substring
    ) throws(Fault) {
        let marks = rest.prefix { "”’\"')".contains($0) }
        let braces = rest.dropFirst(marks.count)
        guard braces.first == "{" else { return }
        guard let end = braces.firstIndex(of: "}"),
            let particle = Particle(marker: braces[..<end].dropFirst())
        else { throw .particle }
        append(marks)
        pieces.append(.particle(particle, after: argument))
        rest = braces[braces.index(after: end)...]
    }

    private mutating func append(_ text: Substring) {
        guard !text.isEmpty else { return }
        if case .text(let before)? = pieces.last {
            pieces[pieces.count - 1] = .text(before + text)
        } else {
            pieces.append(.text(String(text)))
        }
    }

    /// The indices of the arguments that the template inserts.
    var argumentIndices: Set<Int> {
        Set(
            pieces.compactMap { piece in
                if case .argument(let index) = piece { index } else { nil }
            })
    }

    /// The number of placeholders, each as often as it occurs.
    var placeholderCount: Int {
        pieces.count { piece in
            if case .argument = piece { true } else { false }
        }
    }

    /// Returns the text with its arguments; a missing one is left out.
    func filled(_ arguments: [String]) -> String {
        pieces.reduce(into: "") { text, piece in
            switch piece {
            case .text(let part): text += part
            case .argument(let index):
                if arguments.indices.contains(index) { text += arguments[index] }
            case .particle(let particle, let index):
                if arguments.indices.contains(index) {
                    text += particle.form(after: arguments[index])
                }
            }
        }
    }

    /// Returns the template with its placeholders numbered from a later one.
    func moved(by count: Int) -> Template {
        var moved = self
        moved.pieces = pieces.map { piece in
            switch piece {
            case .text: piece
            case .argument(let index): .argument(index + count)
            case .particle(let particle, let index): .particle(particle, after: index + count)
            }
        }
        return moved
    }

    /// The English template as it is written.
    var source: String {
        pieces.map { piece in
            switch piece {
            case .text(let text): Self.escaped(text)
            case .argument(let index): "%\(index + 1)"
            case .particle: ""
            }
        }.joined()
    }

    /// Returns a text as a template without placeholders.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        return text.split(separator: "%", omittingEmptySubsequences: false)
            .joined(separator: "%%")
    }
}
