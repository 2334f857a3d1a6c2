import ControlAPI
import Foundation
import Identity
import Photos
import PluginKit
import Records

/// A mate with one device, the same in every process.
struct Mate: Sendable {
    let number: Int
    let key: DeviceKey
    let record: PersonRecord
    let photo: EncodedPhoto?

    /// Creates the keys of the mate with a number.
    init(_ number: Int, photo: EncodedPhoto? = nil) throws {
        self.number = number
        self.photo = photo
        var generator = Self.generator(number)
        key = DeviceKey(using: &generator)
        let recovery = RecoveryWords(using: &generator).key
        let founding = FoundingRecord(firstDevice: key.id, recoveryKey: recovery.publicKey)
        record = try PersonRecord(founding: founding, firstDevice: key)
    }

    /// The generator of the keys.
    private static func generator(_ number: Int) -> SplitMix {
        SplitMix(seed: 400 + UInt64(number))
    }

    /// The nickname.
    var name: String {
        let names = [
            "Ann", "Ben", "Carla", "David", "Eunji", "Farid", "Gil", "Jun", "Mina", "Sora",
        ]
        return "\(names[number % names.count]) \(number)"
    }

    /// Makes the home of the mate's device.
    func makeHome(_ home: Home) throws {
        try home.prepare()
        var generator = Self.generator(number)
        _ = try DeviceKeyFile(path: home.deviceKeyFile).create(using: &generator)
        try Data(record.encoded).write(to: URL(fileURLWithPath: home.personRecordFile))
    }
}
