import Files
import Foundation
import TestSupport
import Testing

@Suite struct JournalFileTests {
    private let path: String

    init() throws { path = try TestDirectory.make("journal") + "/journal-test" }

    private func journal(bytesMax: Int = 1000) -> JournalFile {
        JournalFile(path: path, entryBytesMax: 100, bytesMax: bytesMax)
    }

    private var bytes: [UInt8] {
        get throws { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
    }

    private func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test func `entries are there after a start, in their order, and gone after clearing`() throws {
        try journal().append([[1], [2, 2]])
        try journal().append([[3]])
        #expect(try journal().entries() == [[1], [2, 2], [3]])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let open = journal()
        try open.clear()
        try open.clear()
        #expect(try open.entries().isEmpty)
        try open.append([[4]])
        #expect(try journal().entries() == [[4]])
    }

    @Test func `an entry that a crash cut off anywhere is left out, and the next replaces it`()
        throws
    {
        try journal().append([[1]])
        let first = try bytes.count
        try journal().append([[7, 7, 7]])
        let whole = try bytes
        for count in first..<whole.count {
            try write(Array(whole[..<count]))
            #expect(try journal().entries() == [[1]])
            try journal().append([[9]])
            #expect(try journal().entries() == [[1], [9]])
        }
        for count in 0..<8 {
            try write(Array(whole[..<count]))
            #expect(try journal().entries().isEmpty)
        }
    }

    @Test func `a changed byte ends the journal before its entry`() throws {
        try journal().append([[1], [2], [3]])
        var damaged = try bytes
        damaged[8 + 9 + 8] ^= 1
        try write(damaged)
        #expect(try journal().entries() == [[1]])
        // An absurd length is no reason to allocate.
        damaged[8 + 9] = 0xff
        try write(damaged)
        #expect(try journal().entries() == [[1]])
    }

    @Test func `an entry of the limit is stored, and a longer or an empty one is refused`() throws {
        try journal().append([[UInt8](repeating: 1, count: 100)])
        #expect(throws: JournalFault.badEntry(bytes: 101, limit: 100)) {
            try journal().append([[1], [UInt8](repeating: 1, count: 101)])
        }
        #expect(throws: JournalFault.badEntry(bytes: 0, limit: 100)) {
            try journal().append([[]])
        }
        #expect(try journal().entries().count == 1)
    }

    @Test func `a journal of the limit is stored, and nothing is added to it`() throws {
        // The head of the file and two frames of one byte.
        let limited = journal(bytesMax: 8 + 9 + 9)
        try limited.append([[1], [2]])
        #expect(throws: JournalFault.full(limit: 26)) { try limited.append([[3]]) }
        #expect(try limited.entries() == [[1], [2]])
        #expect(throws: JournalFault.tooLong(path, limit: 25)) {
            try journal(bytesMax: 25).entries()
        }
    }

    @Test func `another file at its path is left as it is`() throws {
        try write(Array("something else".utf8))
        #expect(throws: JournalFault.foreign(path)) { try journal().entries() }
        #expect(throws: JournalFault.foreign(path)) { try journal().append([[1]]) }
        #expect(try bytes == Array("something else".utf8))
    }
}
