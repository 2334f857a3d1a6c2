import Foundation
import Testing

@testable import Localization

struct CatalogueTests {
    private static let header = """
        msgid ""
        msgstr ""
        "Content-Type: text/plain; charset=UTF-8\\n"
        "Plural-Forms: nplurals=1; plural=0;\\n"

        """

    private func catalogue(_ entries: String) throws(CatalogueFault) -> Catalogue {
        try Catalogue(language: .ko, files: [Array((Self.header + "\n" + entries).utf8)])
    }

    private func fault(_ entries: String) -> CatalogueFault? {
        do {
            _ = try catalogue(entries)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a translation orders the placeholders as it likes`() throws {
        let korean = try catalogue(
            """
            #: ui/Desktop/Somewhere.swift
            msgid "%1 is %2 m from %3"
            msgstr "%3에서 %2m, %1"
            """)
        #expect(korean.text("\("Ann") is \(30) m from \("Seoul")") == "Seoul에서 30m, Ann")
    }

    @Test func `a sentence without a translation is in English`() throws {
        let korean = try catalogue("msgid \"Hello\"\nmsgstr \"안녕\"\n")
        #expect(korean.text("Hello") == "안녕")
        #expect(korean.text("Goodbye, \("Ann")") == "Goodbye, Ann")
        #expect(korean.translates("Hello"))
        #expect(!korean.translates("Goodbye, \("Ann")"))
    }

    @Test func `an inserted sentence is translated and a name is not`() throws {
        let korean = try catalogue(
            """
            msgid "Hello"
            msgstr "안녕"

            msgid "%1 says %2"
            msgstr "%1: %2"
            """)
        #expect(korean.text("\("Hello") says \("Hello" as Sentence)") == "Hello: 안녕")
    }

    @Test(arguments: [1, 2])
    func `a count has one wording in Korean`(count: Int) throws {
        let korean = try catalogue(
            """
            msgid "1 dog"
            msgid_plural "%1 dogs"
            msgstr[0] "개 %1마리"
            """)
        let dogs = Sentence(count: count, one: "1 dog", other: "\(count) dogs")
        #expect(korean.text(dogs) == "개 \(count)마리")
    }

    @Test func `texts go over several lines and have escapes`() throws {
        let korean = try catalogue(
            #"""
            msgid ""
            "First line\n"
            "\"second\"\t\\"
            msgstr ""
            "첫째 줄\n"
            "\"둘째\"\t\\"
            """#)
        #expect(korean.text("First line\n\"second\"\t\\") == "첫째 줄\n\"둘째\"\t\\")
    }

    @Test func `lines may end with CR LF`() throws {
        let entries = """
            msgid ""
            "Hello, "
            "you"
            msgstr "안녕"

            msgid "Yes"
            msgstr "예"

            """
        let file = (Self.header + "\n" + entries).replacing("\n", with: "\r\n")
        let korean = try Catalogue(language: .ko, files: [Array(file.utf8)])
        #expect(["Hello, you", "Yes"].map(korean.text) == ["안녕", "예"])
    }

    @Test func `fuzzy, obsolete and empty entries do not count`() throws {
        let korean = try catalogue(
            """
            #, fuzzy
            msgid "Hello"
            msgstr "안녕"

            #~ msgid "Goodbye"
            #~ msgstr "잘 가"

            msgid "Yes"
            msgstr ""

            msgid "No"
            msgstr "아니요"
            """)
        #expect(
            ["Hello", "Goodbye", "Yes", "No"].map(korean.text) == [
                "Hello", "Goodbye", "Yes", "아니요",
            ])
    }

    @Test func `a file without its header is refused`() {
        #expect(throws: CatalogueFault.header) {
            _ = try Catalogue(language: .ko, files: [Array("msgid \"a\"\nmsgstr \"b\"\n".utf8)])
        }
        let otherForms = Self.header.replacing("nplurals=1", with: "nplurals=2")
        #expect(throws: CatalogueFault.header) {
            _ = try Catalogue(language: .ko, files: [Array(otherForms.utf8)])
        }
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        #expect(throws: CatalogueFault.encoding) {
            _ = try Catalogue(language: .ko, files: [Array(Self.header.utf8) + [0xFF]])
        }
    }

    @Test(arguments: [(0, true), (1, false)])
    func `a file has at most a mebibyte`(excess: Int, isRead: Bool) {
        let room = 1024 * 1024 - Self.header.utf8.count + excess
        let file = Array(Self.header.utf8) + [UInt8](repeating: UInt8(ascii: "#"), count: room)
        let read = Result { () throws(CatalogueFault) in
            try Catalogue(language: .ko, files: [file])
        }
        switch read {
        case .success: #expect(isRead)
        case .failure(let fault): #expect(!isRead && fault == .tooLong(limitBytes: 1024 * 1024))
        }
    }

    // The header and an empty line are the first five lines.
    @Test(
        arguments: [
            ("msgid \"a\"", CatalogueFault.syntax(line: 6)),
            ("msgstr \"a\"", .syntax(line: 6)),
            ("\"a\"", .syntax(line: 6)),
            ("msgctxt \"a\"\nmsgid \"b\"\nmsgstr \"c\"", .context(line: 6)),
            ("msgid a", .syntax(line: 6)),
            ("msgid \"a\nmsgstr \"b\"", .syntax(line: 6)),
            ("msgid \"a\"b\"", .syntax(line: 6)),
            ("msgid \"a\"\nmsgid \"b\"", .syntax(line: 7)),
            ("msgid \"a\"\nmsgstr[0] \"b\"", .syntax(line: 7)),
            ("msgid \"a\"\nmsgid_plural \"b\"\nmsgstr \"b\"", .syntax(line: 8)),
            ("msgid \"a\"\nmsgstr \"\\x\"", .escape(line: 7)),
            ("msgid \"a\"\nmsgstr \"b\\\"", .escape(line: 7)),
            ("msgid \"a\"\nmsgstr \"b\"\n\nmsgid \"a\"\nmsgstr \"c\"", .duplicate(line: 10)),
            ("msgid \"%1\"\nmsgstr \"%\"", .placeholder(line: 7)),
            ("msgid \"%1\"\nmsgstr \"b\"", .placeholder(line: 7)),
            ("msgid \"a\"\nmsgstr \"%1\"", .placeholder(line: 7)),
            ("msgid \"%1\"\nmsgstr \"%1{이/를}\"", .particle(line: 7)),
            ("msgid \"%1\"\nmsgstr \"%1{이/가\"", .particle(line: 7)),
        ])
    func `a mistake is reported with its line`(entries: String, expected: CatalogueFault) {
        #expect(fault(entries) == expected)
    }

    @Test func `the program's own Korean texts are read and are complete for ages`() throws {
        let korean = try Catalogue(.ko)
        #expect(korean.language == .ko)
        #expect(korean.text("\(3) min ago") == "3분 전")
    }

    @Test func `the first file counts if two translate a sentence`() throws {
        let files = ["하나", "둘"].map { Array("\(Self.header)\nmsgid \"a\"\nmsgstr \"\($0)\"".utf8) }
        #expect(try Catalogue(language: .ko, files: files).text("a") == "하나")
    }

    @Test(arguments: [
        ("share/waggle/translations", "share/waggle/plugins", "bin"),
        ("Sources/Localization/Resources", "plugins", ".build/debug"),
    ])
    func `the texts of a plugin are read from its folder, installed or in the sources`(
        shared: String, plugins: String, programs: String
    ) throws {
        let root = NSTemporaryDirectory() + "waggle-texts-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: root) }
        func write(_ entry: String, to path: String) throws {
            let file = URL(filePath: "\(root)/\(path)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try "\(Self.header)\n\(entry)".write(to: file, atomically: false, encoding: .utf8)
        }
        for name in TranslationFiles.names { try write("", to: "\(shared)/ko/\(name)") }
        let files = try #require(TranslationFiles(besideProgram: "\(root)/\(programs)/waggle"))
        #expect(try Catalogue(.ko, in: files).text("a") == "a", "there need be no plugin")

        try write("msgid \"a\"\nmsgstr \"하나\"", to: "\(plugins)/Sample/Localization/ko.po")
        try write("", to: "\(plugins)/Untranslated/README.md")
        #expect(try Catalogue(.ko, in: files).text("a") == "하나")
    }
}
