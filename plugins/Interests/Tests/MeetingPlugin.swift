import PluginKit
import Synchronization

/// A plugin that performs meetings by recording the wishes.
final class MeetingPlugin: Plugin {
    static let manifest = Manifest(id: "meetings", version: 1, services: [.meetings])

    private let wishes = Mutex<[MeetingWish]>([])

    init(context: PluginContext) {}

    func meet(_ wish: MeetingWish) async throws { wishes.withLock { $0.append(wish) } }

    /// Returns the wishes since the last call.
    func drainWishes() -> [MeetingWish] {
        wishes.withLock { wishes in
            defer { wishes = [] }
            return wishes
        }
    }
}
