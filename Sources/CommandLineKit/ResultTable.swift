import Contract

/// A table of a result: which columns it has, and how wide they are.
///
/// On a terminal a column without values is left out, and details are shown only if there is room.
/// Then texts are broken into lines, those of the widest columns first.
struct ResultTable {
    private let columns: [Column]
    private let widthMax: Int?

    /// A column with its heading and its cells.
    private struct Column {
        let name: String
        let cells: [String]
        /// The width in which no text is broken.
        let wanted: Int
        /// The least width: that of its longest word.
        let narrowest: Int

        init(_ name: String, _ cells: [String]) {
            self.name = name
            self.cells = cells
            wanted = cells.map(\.displayWidth).max() ?? 0
            let words = cells.flatMap { $0.split(separator: " ").map(\.description) }
            let longest = words.map { $0.isKey ? $0.displayWidth : min($0.displayWidth, wordMax) }
            narrowest = longest.max() ?? 0
        }

        /// The width in which it is easy to read.
        var comfortable: Int { max(narrowest, min(wanted, textMin)) }
    }

    /// Creates a table.
    /// - Parameters:
    ///   - rows: the cells of each row by the names of their columns.
    ///   - details: the columns that are shown only if there is room, the first ones first.
    ///   - values: shows the headings.
    ///   - widthMax: the columns of the terminal; nil elsewhere.
    init(rows: [[String: String]], details: [String], values: ValueText, widthMax: Int?) {
        let names = Dictionary(
            rows.flatMap { $0 }.map { ($0.key, $0.value.isEmpty) }, uniquingKeysWith: { $0 && $1 })
        let shown = values.sorted(names).filter { !$0.value || widthMax == nil }.map(\.key)
        let all = shown.map { name in
            Column(name, [values.label(name).uppercased()] + rows.map { $0[name] ?? "" })
        }
        self.widthMax = widthMax
        guard let widthMax else {
            columns = all
            return
        }
        var kept = all.filter { !details.contains($0.name) }
        for detail in details {
            guard let column = all.first(where: { $0.name == detail }),
                Self.width(of: kept + [column]) <= widthMax
            else { continue }
            kept.append(column)
        }
        let keptNames = Set(kept.map(\.name))
        columns = all.filter { keptNames.contains($0.name) }
    }

    private static func width(of columns: [Column]) -> Int {
        columns.map(\.comfortable).reduce(gap * (columns.count - 1), +)
    }

    /// The lines of the headings and those of the rows; nil if the table does not fit a terminal of
    /// this width.
    var lines: (head: [String], rows: [String])? {
        guard let widths else { return nil }
        let count = columns.first?.cells.count ?? 0
        let lines = (0..<count).map { row in self.lines(columns.map { $0.cells[row] }, widths) }
        return (lines.first ?? [], lines.dropFirst().flatMap { $0 })
    }

    /// The widths of the columns: the widest ones become narrower first. Nil if even the narrowest
    /// ones do not fit.
    private var widths: [Int]? {
        guard let widthMax else { return columns.map { min($0.wanted, columnMax) } }
        var widths = columns.map { max($0.narrowest, min($0.wanted, columnMax)) }
        var surplus = widths.reduce(gap * (widths.count - 1), +) - widthMax
        while surplus > 0 {
            let widest = widths.indices.filter { widths[$0] > columns[$0].narrowest }
                .max { widths[$0] < widths[$1] }
            guard let widest else { return nil }
            widths[widest] -= 1
            surplus -= 1
        }
        return widths
    }

    /// Returns a row as one line, or as several on a terminal.
    private func lines(_ cells: [String], _ widths: [Int]) -> [String] {
        let broken = zip(cells, widths).map { cell, width in
            widthMax == nil ? [cell] : cell.broken(to: width, linesMax: linesMax)
        }
        return (0..<(broken.map(\.count).max() ?? 0)).map { index in
            zip(broken, widths).map { lines, width in
                (index < lines.count ? lines[index] : "").padded(to: width)
            }.joined(separator: String(repeating: " ", count: gap)).trimmingEnd
        }
    }
}

/// The spaces between two columns.
private let gap = 2
/// The widest column of a table, in columns of a terminal.
private let columnMax = 40
/// The width in which a text is easy to read.
private let textMin = 16
/// The longest word that is not broken.
private let wordMax = 12
/// The most lines of a cell.
private let linesMax = 3

extension String {
    /// Whether it is a key or an id, which people type again.
    var isKey: Bool { count >= 6 && allSatisfy(\.isHexDigit) }

    fileprivate var trimmingEnd: String {
        var rest = self[...]
        while rest.last == " " { rest = rest.dropLast() }
        return String(rest)
    }
}
