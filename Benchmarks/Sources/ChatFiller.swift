import ControlAPI
import Foundation
import Identity
import PluginKit
import Records
import Replica

/// Fills the home of a stopped node with a room of 100 000 messages: two people write in turn, one
/// second apart, each on one device.
struct ChatFiller {
    let household: Household
    let directory: String

    static let messagesCount = 100_000
    /// One message in this many contains the word that is searched for.
    private static let foundEvery = 1000
    /// One message in this many contains a frequent word.
    private static let frequentEvery = 2
    /// The number of batches in a run: about as many as fit a frame.
    private static let runBatchesCount = 1000
    /// The time of the first message, in milliseconds since 1970.
    private static let began: Int64 = 1_600_000_000_000

    /// Fills the home.
    /// - Returns: the id of the room.
    func run() async throws -> JSONValue {
        var generator = SplitMix(seed: 300)
        let (mate, key) = try person(&generator)
        let replica = try await BenchReplica.open(directory, household, key: household.first)
        let space = SpaceDescriptor.between(household.record.person, mate.person)
        try await replica.learn(mate)
        try await replica.open(space)
        for log in try logs(of: [household.first, key], in: space.id, &generator) {
            for run in log.runs {
                let outcome = try await replica.merge(
                    [(space.id, run)], wallTime: BenchReplica.wallTime)
                if let fault = outcome.faults[0] { throw fault }
            }
        }
        try await replica.close()
        return ["room": .string(space.id.description)]
    }

    private func person(_ generator: inout SplitMix) throws -> (PersonRecord, DeviceKey) {
        let key = DeviceKey(using: &generator)
        let recovery = RecoveryWords(using: &generator).key
        let founding = FoundingRecord(firstDevice: key.id, recoveryKey: recovery.publicKey)
        return (try PersonRecord(founding: founding, firstDevice: key), key)
    }

    /// Returns the logs of the two people.
    private func logs(
        of keys: [DeviceKey], in space: SpaceID, _ generator: inout SplitMix
    ) throws -> [SignedLog] {
        try keys.enumerated().map { place, key in
            var log = SignedLog(of: key, in: space)
            var links: [Run.Link] = []
            for number in stride(from: place, to: Self.messagesCount, by: keys.count) {
                links.append(try link(number, by: key.id, in: space, &generator))
                guard links.count == Self.runBatchesCount else { continue }
                try log.append(links)
                links = []
            }
            if !links.isEmpty { try log.append(links) }
            return log
        }
    }

    private func link(
        _ number: Int, by device: DeviceID, in space: SpaceID, _ generator: inout SplitMix
    ) throws -> Run.Link {
        let nonce = SignedWorkload.nonce(number)
        let entity = Records.Operation.entity(
            in: space, of: Self.collection, by: device, nonce: nonce)
        let actions: [Records.Operation.Action] = [
            .create(nonce: nonce), .set(field: 1, .text(text(number, &generator))),
        ]
        return Run.Link(
            stamp: Stamp(Timestamp(milliseconds: Self.began + Int64(number) * 1000)),
            body: BatchBody(
                actions.map {
                    Records.Operation(
                        collection: Self.collection, entity: entity, action: $0)
                }, salt: nonce))
    }

    /// The chat's collection of messages, by its identifier on the wire.
    private static let collection = CollectionID(name: "chat.message/1")

    /// Returns words of one to six syllables, drawn from a thousand.
    private func text(_ number: Int, _ generator: inout SplitMix) -> String {
        let words = (0..<6).map { _ in
            String(
                String.UnicodeScalarView(
                    (0...generator.below(6)).compactMap { _ in
                        Unicode.Scalar(UInt32(0xac00 + generator.below(1000) * 11))
                    }))
        }
        let rare = number.isMultiple(of: Self.foundEvery) ? ["같이산책하자"] : []
        let frequent = number.isMultiple(of: Self.frequentEvery) ? ["오늘은"] : []
        return (words + rare + frequent).joined(separator: " ")
    }
}
