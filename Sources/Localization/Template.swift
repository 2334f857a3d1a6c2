/// A sentence with placeholders: `%1` to `%9`, and `%%` for a percent sign. A Korean template has
/// particles after placeholders, as in `%1{이/가}`; see ``Particle``.
struct Template: Hashable, Sendable {
    /// A part of a template.
    enum Piece: Hashable, Sendable {
        case text(String)
        /// An argument, by its index from 0, and the particle after it.
        case argument(Int, Particle?)
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
        while let percent = rest.firstIndex(of: "%") {
            append(rest[..<percent])
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                append("%")
                rest = rest.dropFirst()
            } else if let number = rest.first?.wholeNumberValue, (1...9).contains(number),
                rest.first?.isASCII == true
            {
                rest = rest.dropFirst()
                pieces.append(.argument(number - 1, isStrict ? try particle(&rest) : nil))
            } else {
                guard !isStrict else { throw .placeholder }
                append("%")
            }
        }
        append(rest)
    }

    /// Reads the braces after a placeholder, if there are any.
    private func particle(_ rest: inout Substring) throws(Fault) -> Particle? {
        guard rest.first == "{" else { return nil }
        guard let end = rest.firstIndex(of: "}"),
            let particle = Particle(marker: rest[..<end].dropFirst())
        else { throw .particle }
        rest = rest[rest.index(after: end)...]
        return particle
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
                if case .argument(let index, _) = piece { index } else { nil }
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
            case .argument(let index, let particle):
                guard arguments.indices.contains(index) else { return }
                text += arguments[index]
                text += particle?.form(after: arguments[index]) ?? ""
            }
        }
    }

    /// Returns the template with its placeholders numbered from a later one.
    func moved(by count: Int) -> Template {
        var moved = self
        moved.pieces = pieces.map { piece in
            if case .argument(let index, let particle) = piece {
                return .argument(index + count, particle)
            }
            return piece
        }
        return moved
    }

    /// The English template as it is written.
    var source: String {
        pieces.map { piece in
            switch piece {
            case .text(let text): Self.escaped(text)
            case .argument(let index, _): "%\(index + 1)"
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
