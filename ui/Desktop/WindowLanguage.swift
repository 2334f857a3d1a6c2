import ControlAPI
import Foundation
import Localization

extension Language {
    /// Chooses the language of a window: that of the home's setting `language`, else that of the
    /// environment.
    ///
    /// The setting is read from the home's file and not from the node, because the window has
    /// texts before a node answers: while it starts one, and on the first page. A setting that
    /// changes while the window is open counts when it is opened again.
    init(home: Home, environment: [String: String]) {
        let stored = (try? Data(contentsOf: URL(fileURLWithPath: home.settingsFile)))
            .flatMap { try? JSONDecoder().decode(StoredSettings.self, from: $0) }
        self.init(setting: stored?.values?["language"], environment: environment)
    }
}

/// The part of a home's settings file that the window reads.
private struct StoredSettings: Decodable {
    /// The settings that differ from their standard, by name.
    var values: [String: String]?
}
