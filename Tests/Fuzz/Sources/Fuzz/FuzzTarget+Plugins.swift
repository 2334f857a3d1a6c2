import ProximityDrop

@testable import Features
@testable import Promises

// What plugins send to each other and never store: the direct messages of a drop, and the locations
// of mates and of participants.
extension FuzzTarget {
    static let drop = FuzzTarget("drop") { bytes in
        try require(
            try DropMessage(decoding: bytes).encoded == bytes, "a message has two encodings")
    }

    /// Fields of newer versions are skipped, so the encoding may be shorter.
    static let card = FuzzTarget("card") { bytes in
        let card = try DropCard(decoding: bytes)
        try require(try DropCard(decoding: card.encoded) == card, "a card changes")
    }

    static let position = FuzzTarget("position") { bytes in
        guard let message = SharedLocationMessage(decoding: bytes) else { return }
        try require(message.encoded == bytes, "a shared location has two encodings")
    }

    static let location = FuzzTarget("location") { bytes in
        guard let message = LocationMessage(decoding: bytes) else { return }
        try require(message.encoded == bytes, "a location has two encodings")
    }
}
