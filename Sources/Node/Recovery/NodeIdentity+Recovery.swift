public import ControlAPI
internal import Files
internal import Foundation
public import Identity
public import PluginKit
internal import Records

// Coming back by recovery words: a home that waits for its person, and the end of that wait.
extension NodeIdentity {
    /// Prepares an empty home to wait for the person of recovery words. `waggle node` then asks
    /// the devices nearby who the person is. A home that still waits gets new words.
    /// - Parameter person: the person who is meant, if a record that the recovery key did not sign
    ///   is to be believed.
    /// - Returns: the device that will be this person's.
    /// - Throws: ``CommandFault/conflict(_:)`` if the home has an identity, data or a running node,
    ///   ``HomeFault``, else why its files cannot be made.
    public static func recover(
        in home: Home, by words: RecoveryWords, as person: PersonID? = nil
    ) throws -> DeviceID {
        guard !home.hasIdentity else {
            throw CommandFault.conflict(
                "there is an identity in \(home.directory) already, and recovery words bring a "
                    + "person back into an empty home only: use another --home")
        }
        return try prepareWaiting(in: home) { try keep(words, of: person, in: home) }
    }

    /// Makes the device's key in an empty home, then what the home waits with.
    static func prepareWaiting(
        in home: Home, keeping keep: () throws -> Void
    ) throws -> DeviceID {
        try requireNoData(in: home)
        try checkSocket(of: home)
        try home.prepare()
        let lock = try HomeLock(home)
        defer { withExtendedLifetime(lock) {} }
        var generator = SystemRandomNumberGenerator()
        let key = try loadOrCreateKey(
            DeviceKeyFile(path: home.deviceKeyFile), of: home, using: &generator)
        try? FileManager.default.removeItem(atPath: home.recoveringDirectory)
        try keep()
        return key.id
    }

    /// Replaces the person of a home, who was just begun and shares nothing, by the search for the
    /// person of recovery words. If the process is killed at any moment, the home has one of them.
    static func abandon(_ home: Home, for words: RecoveryWords) throws {
        try keep(words, of: nil, in: home)
        // From here on the home waits. Its first words are of no use any more.
        for path in [home.personRecordFile, home.recoveryWordsFile] {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// Ends the wait of a home for its person: it begins as a new one, whose recovery words are
    /// kept until they are confirmed. If the process is killed at any moment, the home either waits
    /// or has its identity.
    func beginAsNewPerson(in home: Home, using generator: inout some RandomNumberGenerator) throws {
        let words = RecoveryWords(using: &generator)
        // A home that still waits at its next start removes them.
        try SafeFile.write(
            Array((words.words.joined(separator: " ") + "\n").utf8), to: home.recoveryWordsFile)
        _ = try NodeIdentity.found(on: key, by: words, in: home)
        NodeIdentity.forgetWords(of: home)
    }

    /// Stores what a home that waits needs, the words last: it waits as soon as it has them.
    private static func keep(
        _ words: RecoveryWords, of person: PersonID?, in home: Home
    ) throws {
        try Home(home.recoveringDirectory).prepare()
        try? FileManager.default.removeItem(atPath: home.joiningCodeFile)
        if let person {
            try SafeFile.write(Array(person.description.utf8), to: home.recoveringPersonFile)
        } else {
            try? FileManager.default.removeItem(atPath: home.recoveringPersonFile)
        }
        try SafeFile.write(
            Array((words.words.joined(separator: " ") + "\n").utf8), to: home.recoveringWordsFile)
    }

    /// Loads the identity of a home that waits: its device, under a provisional record of the
    /// device's own key, which is stored nowhere.
    /// - Throws: ``CommandFault/failed(_:)`` if the words cannot be read, else why the key cannot.
    static func loadWaiting(
        from home: Home, using generator: inout some RandomNumberGenerator
    ) throws -> NodeIdentity {
        let key = try loadKey(of: home)
        HomeFiles.removeReplicas(ofWaiting: home)
        // The words of a new person who was not founded in the end.
        try? FileManager.default.removeItem(atPath: home.recoveryWordsFile)
        let founding = FoundingRecord(
            firstDevice: key.id, recoveryKey: RecoveryWords(using: &generator).key.publicKey)
        let person = try PersonRecord(founding: founding, firstDevice: key)
        var identity = NodeIdentity(key: key, person: person, formerDevices: [])
        if home.isJoining {
            identity.attempt = try attempt(of: home)
        } else {
            identity.search = try search(of: home)
        }
        return identity
    }

    private static func search(of home: Home) throws -> RecoverySearch {
        let words: RecoveryWords
        do {
            let bytes = try SafeFile.read(home.recoveringWordsFile)
            words = try RecoveryWords(parsing: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw CommandFault.failed(
                "\(home.recoveringWordsFile) cannot be read: run 'waggle init --recover' again")
        }
        let wanted = (try? SafeFile.read(home.recoveringPersonFile)).flatMap {
            PersonID(String(decoding: $0, as: UTF8.self))
        }
        return RecoverySearch(key: words.key, wanted: wanted)
    }

    /// Makes this device one of the person whom its recovery key found, and ends the wait: the home
    /// has an identity afterwards, and the words are no longer on the disk. If the process is
    /// killed at any moment, the home either waits or has its identity.
    /// - Throws: ``RecoveryFault``, else why the files cannot be written.
    func comeBack(as record: PersonRecord, in home: Home, at time: Timestamp) throws {
        guard let search else { return }
        try search.check(record)
        let consent = try DeviceConsent(of: key, to: record.person)
        let mine = try record.adding(try DeviceEntry.adding(consent, by: search.key))
        guard mine.devices.contains(key.id) else { throw RecoveryFault.noRoom }
        try Regained(since: time).write(to: home)
        try SafeFile.write(mine.encoded, to: home.personRecordFile)
        NodeIdentity.forgetWords(of: home)
    }

    /// Removes what a home needed while it waited, the words first.
    static func forgetWords(of home: Home) {
        for path in [
            home.recoveringWordsFile, home.joiningCodeFile, home.recoveringPersonFile,
        ] {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// Refuses a home with data and without an identity. The lost identity signed that data: a new
    /// one could not read it.
    static func requireNoData(in home: Home) throws(CommandFault) {
        guard !FileManager.default.fileExists(atPath: home.replicaFile) else {
            throw .conflict(
                "there is data in \(home.directory) but no person.record: put person.record back "
                    + "from a backup, or use another --home")
        }
    }
}

extension RecoveryWords {
    /// Reads typed words.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the place of the first wrong word, if it can
    ///   be told.
    public static func typed(_ text: String) throws(CommandFault) -> RecoveryWords {
        do throws(Fault) {
            return try RecoveryWords(parsing: text)
        } catch {
            throw .usage(error.sentence, field: error.field)
        }
    }
}

extension SpellingFault {
    /// The name of the word that cannot be one, as in `word5`; else that of all words.
    var field: String {
        if case .notAWord(let position, _) = self { "word\(position)" } else { "words" }
    }

    /// The fault in recovery words as a sentence. A wrong word is not repeated in it, since errors
    /// are logged.
    public var sentence: Sentence {
        switch self {
        case .tooLong(let limit):
            "The text has more than \(limit) bytes: type only the nine words."
        case .wrongCount(let found):
            Sentence(
                count: found, one: "Nine recovery words are needed, and there is 1.",
                other: "Nine recovery words are needed, and there are \(found).")
        case .notAWord(let position, _):
            "Word \(position) is misspelt: each word has five letters, like 'lusab'."
        case .checksumMismatch:
            "These are not the words of an identity: one of them is wrong, or two are in the wrong "
                + "order. Compare them with your note."
        }
    }
}
