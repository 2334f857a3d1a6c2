import Contract

/// The lines of a result that the values of one renderer make.
struct ResultText: Sendable {
    let values: ValueText
    let isColoured: Bool
    let widthMax: Int?

    /// Whether the result is for a terminal, where ids are short and tables fit.
    var isForTerminal: Bool { widthMax != nil }

    /// Returns the lines of a result of a shape.
    func lines(_ value: JSONValue, of schema: Schema) -> [String] {
        switch value {
        case .object(let members) where members.isEmpty: [values.catalogue.text("done")]
        case .object(let members): object(members, of: schema, width: widthMax)
        case .array(let elements): list(elements, named: "", of: schema, width: widthMax)
        default: [values.text(value, named: "", of: schema)]
        }
    }

    /// Returns plain members first, aligned; then each nested one under its name.
    private func object(
        _ members: [String: JSONValue], of schema: Schema, width: Int?
    ) -> [String] {
        let isAlone = members.count == 1
        let sorted = values.sorted(withoutSaidKeys(members))
        let plain = sorted.filter { $0.value.isPlain || ($0.value == [] && !isAlone) }
        let labels = plain.map { values.label($0.key) }
        let labelWidth = labels.map(\.displayWidth).max() ?? 0
        var lines = zip(labels, plain).map { label, member in
            label.padded(to: labelWidth) + "  "
                + values.text(member.value, named: member.key, of: schema.shape(of: member.key))
        }
        for (name, value) in sorted where !plain.contains(where: { $0.key == name }) {
            let shape = schema.shape(of: name)
            if isAlone, let elements = value.array {
                return list(elements, named: name, of: shape, width: width)
            }
            if !lines.isEmpty { lines.append("") }
            lines.append(heading(values.label(name)))
            lines += nested(value, named: name, of: shape, width: width.map { $0 - 2 })
                .map { "  " + $0 }
        }
        return lines
    }

    private func nested(
        _ value: JSONValue, named name: String, of schema: Schema, width: Int?
    ) -> [String] {
        switch value {
        case .object(let members):
            members.isEmpty
                ? [values.catalogue.text("nothing")] : object(members, of: schema, width: width)
        case .array(let elements): list(elements, named: name, of: schema, width: width)
        default: [values.text(value, named: name, of: schema)]
        }
    }

    private func list(
        _ elements: [JSONValue], named name: String, of schema: Schema, width: Int?
    ) -> [String] {
        guard !elements.isEmpty else {
            return [values.catalogue.text(name.isEmpty ? "none" : "no \(values.label(name))")]
        }
        let rows = elements.compactMap { element -> [String: JSONValue]? in
            if case .object(let members) = element { members } else { nil }
        }
        guard rows.count == elements.count else {
            return elements.map { values.text($0, named: name, of: schema.element) }
        }
        if isForTerminal, schema.element.hasSentence {
            return rows.compactMap { $0["text"]?.string?.harmless }
        }
        let isTalk = rows.allSatisfy { row in ["id", "text", "atMs"].allSatisfy { row[$0] != nil } }
        return isTalk
            ? rows.flatMap { talk($0, of: schema.element) }
            : table(rows, of: schema.element, width: width)
    }

    /// Returns a person's whole message, below a line with its title, if it has one, its author and
    /// its time.
    private func talk(_ row: [String: JSONValue], of schema: Schema) -> [String] {
        let isMine = (row["isMine"] ?? row["mine"])?.boolean
        // A row without an author, such as a draft, shows no name.
        let pronoun = isMine.map { values.catalogue.text($0 ? "you" : "someone") }
        let who = isMine == true ? pronoun : row["name"]?.string?.harmless ?? pronoun
        let facts = ["room", "category", "atMs", "distanceMetres", "state", "id"].compactMap {
            name in row[name].map { values.text($0, named: name, of: schema.shape(of: name)) }
        }
        let title = row["title"]?.string?.harmless
        // A post may be a title alone.
        let text = row["text"]?.string ?? ""
        let lines =
            title != nil && text.isEmpty
            ? [] : text.split(separator: "\n", omittingEmptySubsequences: false)
        return [heading(([title, who].compactMap { $0 } + facts).joined(separator: "  "))]
            + lines.map { "  " + String($0).harmless }
    }

    private func table(
        _ rows: [[String: JSONValue]], of schema: Schema, width: Int?
    ) -> [String] {
        let table = ResultTable(
            rows: rows.map { cells(withoutSaidKeys($0), of: schema) }, details: schema.detailNames,
            values: values, widthMax: width)
        if let lines = table.lines { return lines.head.map(heading) + lines.rows }
        return rows.enumerated().flatMap { index, row in
            (index == 0 ? [] : [""]) + object(row, of: schema, width: width)
        }
    }

    func heading(_ text: String) -> String { text.bold(isColoured) }
}

extension ResultText {
    /// Returns members without the keys that begin with the digits in `suffix`: a terminal shows
    /// no more digits of them.
    private func withoutSaidKeys(_ members: [String: JSONValue]) -> [String: JSONValue] {
        guard values.idDigits == KeySuffix.digitsCount, let suffix = members["suffix"]?.string
        else { return members }
        return members.filter { name, value in
            name == "suffix" || !(value.string.map { $0.isKey && $0.hasPrefix(suffix) } ?? false)
        }
    }

    /// Returns the cells of one row by the names of their columns. The names in a nested object,
    /// such as those of a profile, have columns of their own, and a nickname is in the column
    /// `name`.
    private func cells(
        _ row: [String: JSONValue], of schema: Schema
    ) -> [String: String] {
        var (cells, nicknames): ([String: String], [String]) = ([:], [])
        func add(_ name: String, _ value: JSONValue, of shape: Schema) {
            let text = cell(value, named: name, of: shape)
            if name.isNickname { nicknames.append(text) } else { cells[name] = text }
        }
        for (name, value) in values.sorted(row) {
            let shape = schema.shape(of: name)
            guard case .object(let members) = value else {
                add(name, value, of: shape)
                continue
            }
            // What is no name needs more room than a column has.
            if isForTerminal, schema.detailNames.contains(name) { continue }
            let lifted = shape.members.filter { $0.isLeading || $0.name.isNickname }.map(\.name)
            for name in lifted {
                if let value = members[name] { add(name, value, of: shape.shape(of: name)) }
            }
            let left = Set(lifted + (isForTerminal ? shape.detailNames : []))
            let rest = members.filter { !left.contains($0.key) }
            guard !rest.isEmpty, lifted.isEmpty || !isForTerminal else { continue }
            if rest.count == 1, let (part, value) = rest.first {
                cells[name] = cell(value, named: part, of: shape.shape(of: part))
            } else {
                add(name, .object(rest), of: shape)
            }
        }
        if let name = nicknames.first, cells["name"] == nil {
            let other = nicknames.dropFirst().first { $0 != name }
            cells["name"] = name + (other.map { " (\($0))" } ?? "")
        }
        return cells
    }

    /// Returns the text of a cell. On a terminal it is empty for a count of nothing and for an
    /// empty list.
    private func cell(_ value: JSONValue, named name: String, of schema: Schema) -> String {
        let isNothing = value == [] || (value == 0 && schema == Count.schema)
        return isForTerminal && isNothing ? "" : values.text(value, named: name, of: schema)
    }
}

extension Schema {
    /// Whether the object has a member `text` that is a sentence of the program, which says the
    /// whole in one line.
    fileprivate var hasSentence: Bool {
        members.contains { $0.name == Sentence.member(beside: "text") }
    }
}

extension JSONValue {
    /// Whether it fits on a line: it is no object, and no list that contains objects.
    fileprivate var isPlain: Bool {
        switch self {
        case .object: false
        case .array(let elements): !elements.isEmpty && elements.allSatisfy { $0.isLeaf }
        default: true
        }
    }

    private var isLeaf: Bool {
        switch self {
        case .object, .array: false
        default: true
        }
    }
}

extension String {
    /// Whether a member of this name has a name of the person that the object is about.
    fileprivate var isNickname: Bool { lowercased().hasSuffix("nickname") }

    /// Returns the text as a terminal shows a heading.
    func bold(_ isColoured: Bool) -> String {
        isColoured ? "\u{1B}[1m\(self)\u{1B}[0m" : self
    }
}
