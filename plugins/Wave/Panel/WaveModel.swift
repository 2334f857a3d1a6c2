import Contract
import ControlAPI
import PanelKit
import WaveAPI

/// The panel's knowledge of waves, without widgets.
@MainActor
final class WaveModel {
    /// A query of the panel.
    enum Query: CaseIterable { case list }

    /// Called when other waves are to be shown.
    var onChange: @MainActor () -> Void = {}
    /// The waves, newest first.
    private(set) var waves: [WaveList.Wave] = []
    /// The queries to the node; a changed wave makes the list stale.
    private(set) lazy var queries = StaleQueries<Query>(.after(WaveEvents.changed, .list)) {
        [weak self] _ in
        try await self?.askList()
    }

    private let node: any NodeConnection

    /// Creates a model without waves; its query loads them.
    init(node: any NodeConnection) {
        self.node = node
    }

    /// Waves at a person; a blank greeting is left out. The event of the change renews the list.
    /// - Throws: ``CommandFault/usage(_:field:)`` if the greeting breaks its rule, else the
    ///   node's fault.
    func wave(at person: Key, greeting: String) async throws {
        let checked =
            greeting.trimmed.isEmpty
            ? nil : try Greeting(greeting, field: "greeting")
        _ = try await node.call(
            WaveCommands.send, SendWave(to: NameOrKey(person), greeting: checked))
    }

    /// Returns a wave as the list shows it at a moment.
    func line(of wave: WaveList.Wave, names: [Key: String], now: Timestamp) -> String {
        let age = AgeText.ago(since: wave.atMs, now: now)
        return "\(names[wave.from] ?? localized("Someone")): \(wave.greeting) · \(age)"
    }

    private func askList() async throws {
        waves = try await node.call(WaveCommands.list).waves
        onChange()
    }
}
