/// A part of a vCard or iCalendar file, from `BEGIN` to `END`, with the parts inside it.
struct Component: Sendable {
    /// The name in capital letters, such as `VEVENT`.
    let name: String
    /// The lines that belong to no inner part.
    var lines: [ContentLine] = []
    /// The inner parts.
    var components: [Component] = []

    /// Returns the first line with a name.
    func line(_ name: String) -> ContentLine? { lines.first { $0.name == name } }

    /// Returns the outermost parts of a file. A part without an end reaches to the end of the file,
    /// if it is the last one: a file that was cut keeps what it has.
    /// - Throws: ``FormatFault``, from ``ContentLines/read(_:)``, or if parts nest too deep or end
    ///   in another order than they begin.
    static func read(_ bytes: [UInt8]) throws(FormatFault) -> [Component] {
        var whole: [Component] = []
        var open: [Component] = []
        for line in try ContentLines.read(bytes) {
            switch line.name {
            case "BEGIN":
                guard open.count < FormatLimits.componentsDepthMax else {
                    throw .tooDeep(limit: FormatLimits.componentsDepthMax)
                }
                open.append(Component(name: line.trimmedValue))
            case "END":
                guard let last = open.popLast(), last.name == line.trimmedValue else {
                    throw .malformed(line: line.number)
                }
                close(last, &open, &whole)
            default:
                guard let last = open.indices.last else { continue }
                open[last].lines.append(line)
            }
        }
        while let last = open.popLast() { close(last, &open, &whole) }
        return whole
    }

    private static func close(
        _ part: Component, _ open: inout [Component], _ whole: inout [Component]
    ) {
        if let last = open.indices.last {
            open[last].components.append(part)
        } else {
            whole.append(part)
        }
    }
}

extension ContentLine {
    /// The value in capital letters, without spaces at its ends.
    fileprivate var trimmedValue: String {
        String(value.uppercased().drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
