internal import ProximityDropAPI
public import PluginKit

extension ProximityDrop {
    /// The practice mate joins a drop that the user begins, and accepts.
    public static var practice: PracticePart? {
        PracticePart { mate in
            let drop = try await mate.node.call(DropCommands.show)
            if drop.phase == .deciding, drop.myAnswer == nil {
                guard await mate.hasThought(about: "accept \(drop.id?.string ?? "")") else {
                    return
                }
                try await mate.node.call(DropCommands.accept)
            } else if drop.incoming == true, let peer = drop.peer?.device {
                try await Self.join(peer, as: mate)
            } else if !drop.phase.isActive, let open = try await mate.devicesOpenToMeet().first {
                // The user may have pressed Drop without choosing a person.
                try await Self.join(open, as: mate)
            }
        }
    }

    private static func join(_ device: Key, as mate: any PracticePlayer) async throws {
        guard await mate.hasThought(about: "join") else { return }
        await mate.forget("join")
        try await mate.node.call(DropCommands.start, StartDrop(to: NameOrKey(device)))
    }
}
