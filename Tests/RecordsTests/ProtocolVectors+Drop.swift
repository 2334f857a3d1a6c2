import PluginKit
import ProximityDrop
import Records
import Testing

@testable import Identity

// Section 13, a drop; and the verification of signatures in section 2.
extension ProtocolVectors {
    /// A key with a part of small order, and signatures that tell verifications apart; this code
    /// can verify them and not make them.
    static let cofactor = [
        "cofactor.key": "63771c228bf60e6a02ad24d2c345a28d3598f640e26bede40c8b77fe4bf090a3",
        "cofactor.refused":
            "472eb30044a6323e36f9044682c5a1dee473d84de1d56b82ccdfc60db60bbb24"
            + "79c0910b0b13b32f9a283a73d2bb107f46b04a90336bfad973d63b8fe09cdb05",
        "cofactor.valid":
            "5cedc09c065c4f24c6a2caa5330fb7cbea330450fb2d7534c533f4ceb8dba2ec"
            + "e052c7f8ee8ab9f3888383353642ce1e4ef23333151bfec72eb6053f310c7608",
    ]

    /// Expects that signatures are verified without the cofactor.
    func checkVerification() throws {
        func bytes(_ name: String) -> [UInt8] {
            Self.cofactor[name].flatMap { Hexadecimal.bytes($0) } ?? []
        }
        let key = try #require(Bytes32(bytes("cofactor.key")))
        let refused = try #require(Signature(bytes("cofactor.refused")))
        let valid = try #require(Signature(bytes("cofactor.valid")))
        #expect(!refused.verifies(Array("waggle 2".utf8), by: key))
        #expect(valid.verifies(Array("waggle 0".utf8), by: key))
    }

    /// The values and messages of a drop.
    var drop: [String: [UInt8]] {
        let (mine, theirs) = (filled32(0xf1), filled32(0xf2))
        let commitment = DropTranscript.commitment(of: first.id, nonce: mine)
        let other = DropTranscript.commitment(of: self.other.id, nonce: theirs)
        let id = DropTranscript.id(commitment, other)
        let transcript = DropTranscript((first.id, mine), (self.other.id, theirs))
        let card = DropCard(ProfileFields(nickname: "Ann", age: 4))
        let state = DropState(hasYourCard: true, answer: .accept, sawYourAnswer: true, asks: true)
        let messages: [String: DropMessage] = [
            "drop.offer": .offer(commitment: commitment),
            "drop.bump": .bump(commitment: commitment),
            "drop.reveal": .reveal(id: id, nonce: mine),
            "drop.card": .card(id: id, card.encoded),
            "drop.card.empty": .card(id: id, DropCard(ProfileFields()).encoded),
            "drop.card.thumbnails": .card(
                id: id, DropCard(card.fields, readsThumbnails: true).encoded),
            "drop.state": .state(id: id, state),
            "drop.state.thumbnail": .state(
                id: id, DropState(hasYourCard: true, hasYourThumbnail: true)),
            "drop.thumbnail": .thumbnail(id: id, [0xff, 0xd8, 0xff, 0xd9]),
            "drop.end": .end(commitment: commitment, .declined),
        ]
        let values = [
            "drop.commitment": commitment.bytes, "drop.commitment.other": other.bytes,
            "drop.id": id.bytes, "drop.check-code": Array(transcript.checkCode.utf8),
            "drop.meeting": transcript.meeting.bytes,
        ]
        return values.merging(messages.mapValues(\.encoded)) { first, _ in first }
    }
}
