import Records
import Sync
import Testing

@testable import Node
@testable import Replica

/// Tests the state that a node keeps of its links in neighbourhoods.
struct OpenSpacesTests {
    private let place = SpaceDescriptor.open(name: "seongsu")
    private let ben = DeviceIDs.one
    private let cho = DeviceIDs.two

    /// The joined place, with links to two devices.
    private func linked() -> OpenSpaces {
        var spaces = OpenSpaces()
        let offer = OpenOffer(
            revision: 1, digest: Bytes16(prefixOf: Digest.header.hash([1])), logs: [], gone: [],
            isWhole: true)
        _ = spaces.follow([place], [place.id: offer])
        for (number, device) in [ben, cho].enumerated() {
            spaces.begin(device, linkID: UInt64(number), in: place.id, channel: 0)
        }
        return spaces
    }

    /// Processes that a device named the place.
    private func join(_ device: DeviceID, _ spaces: inout OpenSpaces) {
        _ = spaces.exchange(of: place.id) {
            $0.named(device, digest: Bytes16(prefixOf: Digest.header.hash([2])), now: .zero)
        }
    }

    @Test func `what was erased is passed when every device that joined has the own log's end`() {
        var spaces = linked()
        #expect(spaces.hasPassed(upTo: [place.id: 3]), "nobody else joined")
        join(ben, &spaces)
        #expect(spaces.hasPassed(upTo: [:]) && !spaces.hasPassed(upTo: [place.id: 3]))
        spaces.recordPassing(of: place.id, upTo: 2, to: ben)
        #expect(!spaces.hasPassed(upTo: [place.id: 3]))
        spaces.recordPassing(of: place.id, upTo: 3, to: ben)
        spaces.recordPassing(of: place.id, upTo: 1, to: ben)
        #expect(spaces.hasPassed(upTo: [place.id: 3]))
        join(cho, &spaces)
        #expect(!spaces.hasPassed(upTo: [place.id: 3]))
        _ = spaces.end(cho, now: .zero)
        #expect(spaces.hasPassed(upTo: [place.id: 3]), "a link that ended is not waited for")
    }
}
