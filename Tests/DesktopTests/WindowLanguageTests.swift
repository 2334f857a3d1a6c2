import Contract
import ControlAPI
import Foundation
import Testing

@testable import Desktop

struct WindowLanguageTests {
    /// Returns the language of a window on a home whose settings file holds a text.
    private func language(settings: String?, _ environment: [String: String]) throws -> Language {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("waggle-language-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let home = Home(folder.path)
        if let settings {
            try Data(settings.utf8).write(to: URL(fileURLWithPath: home.settingsFile))
        }
        return Language(home: home, environment: environment)
    }

    private let korean = ["LANG": "ko_KR.UTF-8"]

    @Test func `the setting comes before the environment`() throws {
        let english = #"{"peers":[],"values":{"language":"en"}}"#
        #expect(try language(settings: english, korean) == .en)
        #expect(try language(settings: #"{"peers":[],"values":{"language":"ko"}}"#, [:]) == .ko)
    }

    @Test(
        arguments: [
            nil, "{}", #"{"values":{}}"#, #"{"values":{"language":"system"}}"#, "not JSON",
            #"{"values":{"language":"xx"}}"#,
        ])
    func `without a setting the environment decides`(settings: String?) throws {
        #expect(try language(settings: settings, korean) == .ko)
        #expect(try language(settings: settings, [:]) == .en)
    }
}
