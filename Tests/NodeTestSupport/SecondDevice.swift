public import ControlAPI
internal import Files
internal import Identity
internal import Node
internal import TestSupport

extension RunningNode {
    /// Creates a home with a second device of a person, which the first one's key adds. When a node
    /// on it meets another device of the person, it asks for everything that they share.
    /// - Parameter first: the person's home. It may be in use: it learns of the device by HELLO.
    public static func foundedSecond(of first: Home) throws -> Home {
        let owner = try NodeIdentity.load(from: first)
        let home = Home(try TestDirectory.newPath("home"))
        try home.prepare()
        var generator = SystemRandomNumberGenerator()
        let key = try DeviceKeyFile(path: home.deviceKeyFile).loadOrCreate(using: &generator)
        let consent = try DeviceConsent(of: key, to: owner.person.person)
        let record = try owner.person.adding(try DeviceEntry.adding(consent, by: owner.key))
        try SafeFile.write(Array(#"{"since":0,"people":[]}"#.utf8), to: home.regainedFile)
        try SafeFile.write(record.encoded, to: home.personRecordFile)
        return home
    }

    /// Starts a second device of this node's person, and links the two.
    public func startSecond() async throws -> RunningNode {
        let second = try await RunningNode.start(try RunningNode.foundedSecond(of: home))
        try await second.dial(self)
        return second
    }
}
