import FeaturesAPI
import PluginKit
import Records
import TestSupport

@testable import Features

/// Anna, who has a phone and a laptop, and her mate Ben, all linked.
struct Household {
    let network: TestNetwork
    let phone: TestHost
    let laptop: TestHost
    let ben: TestHost

    var devices: [TestHost] { [phone, laptop] }

    /// Creates the three, linked and settled.
    static func gather(on network: TestNetwork) async throws -> Household {
        let phone = try await network.person(seed: 1, "Anna")
        let ben = try await network.person(seed: 2, "Ben")
        let laptop = try await network.device(seed: 11, of: phone, [CoreFeatures.self])
        let home = Household(network: network, phone: phone, laptop: laptop, ben: ben)
        try await home.link()
        try await network.meet(phone, ben)
        return home
    }

    /// Links all devices with each other.
    func link() async throws { try await setLinks(isUp: true) }

    /// Cuts all links.
    func part() async throws { try await setLinks(isUp: false) }

    private func setLinks(isUp: Bool) async throws {
        for (one, other) in [(phone, laptop), (phone, ben), (laptop, ben)] {
            try await network.setLink(one, other, isUp: isUp)
        }
    }

    /// Links all devices but one with each other, and cuts the links of that one.
    func leaveOut(_ device: TestHost) async throws {
        for (one, other) in [(phone, laptop), (phone, ben), (laptop, ben)] {
            let isUp = one.me.device != device.me.device && other.me.device != device.me.device
            try await network.setLink(one, other, isUp: isUp)
        }
    }

    /// The inboxes of both devices as one list each: kind, reference, whether handled, and actions.
    func inboxes() async throws -> [[String]] {
        var lists: [[String]] = []
        for device in devices {
            lists.append(
                try await device.inboxItems().map {
                    "\($0.kind) \($0.ref?.string ?? "") \($0.handled) \($0.actions) \($0.atMs)"
                }.sorted())
        }
        return lists
    }

    /// Whether both devices have the same inbox, with the same items handled.
    func haveOneInbox() async throws -> Bool {
        let inboxes = try await inboxes()
        return inboxes[0] == inboxes[1]
    }
}
