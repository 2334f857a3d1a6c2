import Foundation
import Testing

/// Compares the code with the hexadecimal vectors that docs/protocol.md gives for other
/// implementations.
@Suite struct ProtocolVectorTests {
    private let page: String
    private let promised: [String: String]

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        page = try String(
            contentsOf: root.appendingPathComponent("docs/protocol.md"), encoding: .utf8)
        promised = try ProtocolVectorTests.vectors(on: page)
    }

    /// Returns the lines `name = hex` of blocks marked `vectors`; an indented line continues the
    /// previous one.
    private static func vectors(on page: String) throws -> [String: String] {
        var found: [String: String] = [:]
        var name: String?
        var isInside = false
        for line in page.components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                isInside = line == "```vectors"
                name = nil
            } else if isInside, line.hasPrefix("  "), let name {
                found[name]? += line.trimmingCharacters(in: .whitespaces)
            } else if isInside {
                let parts = line.components(separatedBy: " = ")
                try #require(parts.count == 2 && found[parts[0]] == nil, "\(line)")
                found[parts[0]] = parts[1]
                name = parts[0]
            }
        }
        return found
    }

    @Test func `the code makes every vector of the protocol page`() throws {
        let made = try ProtocolVectors().all
        #expect(Set(made.keys) == Set(promised.keys))
        for (name, digits) in made.sorted(by: { $0.key < $1.key }) {
            #expect(promised[name] == digits, "\(name)")
        }
    }

    @Test func `every message of the protocol page is decoded as it was encoded`() throws {
        try ProtocolVectors().checkMessagesAreReadBack()
        try ProtocolVectors().checkMatchingIsReadBack()
    }

    @Test func `signatures are verified without the cofactor`() throws {
        try ProtocolVectors().checkVerification()
    }

    @Test func `every limit on the protocol page is the code's`() throws {
        for (sentence, holds) in ProtocolLimits.all {
            #expect(page.contains(sentence), "\(sentence)")
            #expect(holds, "\(sentence)")
        }
    }

    @Test func `every row of the table of limits is the code's`() throws {
        let parts = page.components(separatedBy: "| limit | value |")
        let table = try #require(parts.dropFirst().first)
        let rows = table.components(separatedBy: "\n").dropFirst(2).prefix { $0.hasPrefix("|") }
            .map { row in
                row.components(separatedBy: " | ").prefix(2).joined(separator: " | ").dropFirst(2)
            }
        #expect(rows.count > 20)
        for row in rows {
            let limit = ProtocolLimits.table.first { $0.row == row }
            #expect(limit?.holds == true, "\(row)")
        }
        #expect(ProtocolLimits.table.map(\.row).sorted() == rows.map(String.init).sorted())
    }
}
