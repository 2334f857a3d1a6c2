public import Contract

/// The answer of `waggle init`.
public struct CreatedIdentity: Codable, Hashable, Sendable {
    /// A word of five letters.
    public typealias RecoveryWord = ShownText<5>

    /// The new person; nil if one is to come back, and is not known yet.
    public var person: Key?
    /// The person's first device: this one.
    public var device: Key
    /// The words that restore the person. They are shown once and stored nowhere. None if a person
    /// is to come back by them.
    public var recoveryWords: [RecoveryWord]

    /// Creates the value.
    public init(person: Key?, device: Key, recoveryWords: [String]) {
        self.person = person
        self.device = device
        self.recoveryWords = recoveryWords.map(RecoveryWord.init(clipping:))
    }
}

/// The answer of `waggle node`, as soon as the node accepts requests.
public struct StartedNode: Codable, Hashable, Sendable {
    /// The TCP port for other nodes.
    public var port: PortNumber
    /// The path of the local API's socket.
    public var socket: ShownPath

    /// Creates the value.
    public init(port: Int, socket: String) {
        self.port = PortNumber(clamping: port)
        self.socket = ShownPath(clipping: socket)
    }
}

/// The request of `backup run` and `export run`: a file to create.
public struct NewFile: CommandRequest {
    /// An absolute path at which there is no file yet.
    public var file: FilePath

    /// Creates a request from a file's path.
    public init(file: FilePath) { self.file = file }

    /// The help of each property.
    public static let help = ["file": "An absolute path at which there is no file yet."]
    /// The properties read by position.
    public static let positional = ["file"]
}

/// The answer of `backup run`.
public struct WrittenBackup: Codable, Hashable, Sendable {
    /// The absolute path of the backup.
    public var file: ShownPath
    /// The length of the file in bytes.
    public var bytes: Count
    /// The person whose backup it is.
    public var person: Key

    /// Creates the value.
    public init(file: String, bytes: Int, person: Key) {
        self.file = ShownPath(clipping: file)
        self.bytes = Count(clamping: bytes)
        self.person = person
    }
}

/// The answer of `waggle restore`.
public struct RestoredHome: Codable, Hashable, Sendable {
    /// The person whose backup it was.
    public var person: Key
    /// The device that the home is now.
    public var device: Key
    /// The directory of the home.
    public var home: ShownPath

    /// Creates the value.
    public init(person: Key, device: Key, home: String) {
        self.person = person
        self.device = device
        self.home = ShownPath(clipping: home)
    }
}

/// The answer of `export run`.
public struct WrittenExport: Codable, Hashable, Sendable {
    /// The absolute path of the export.
    public var file: ShownPath
    /// The number of spaces in it.
    public var spaces: Count
    /// The number of records in it.
    public var records: Count

    /// Creates the value.
    public init(file: String, spaces: Int, records: Int) {
        self.file = ShownPath(clipping: file)
        self.spaces = Count(clamping: spaces)
        self.records = Count(clamping: records)
    }
}

/// The request of `repair run`.
public struct Repair: CommandRequest {
    /// The only space to check; all if nil.
    public var space: NameOrKey?

    /// Creates the value.
    public init(space: NameOrKey? = nil) { self.space = space }

    /// The help of each property.
    public static let help = [
        "space": "Only the space with this id, or at least its first six digits."
    ]
}

/// The answer of `repair run`.
public struct RepairResult: Codable, Hashable, Sendable {
    /// A finding of SQLite, which may have a hundred lines.
    public typealias Finding = ShownText<10_000>

    /// Sentences about damage of the database file itself.
    public var findings: [Finding]
    /// Whether nothing was damaged.
    public var isWhole: Bool
    /// Whether this device continues under a new key.
    public var newKey: Bool
    /// The spaces that were checked.
    public var spaces: [Space]
    /// The damaged photos, which were removed.
    public var photos: [DamagedPhoto]

    /// Creates the value.
    public init(
        findings: [String], isWhole: Bool, newKey: Bool, spaces: [Space],
        photos: [DamagedPhoto]
    ) {
        self.findings = findings.map(Finding.init(clipping:))
        self.isWhole = isWhole
        self.newKey = newKey
        self.spaces = spaces
        self.photos = photos
    }

    /// The result for one space.
    public struct Space: Codable, Hashable, Sendable {
        /// The space's id.
        public var id: Key
        /// The space's kind.
        public var kind: NodeStatus.Space.Kind
        /// The number of batches that were checked.
        public var batches: Count
        /// The batches that were cut off.
        public var damaged: [Range]

        /// Creates the value.
        public init(id: Key, kind: NodeStatus.Space.Kind, batches: Int, damaged: [Range]) {
            self.id = id
            self.kind = kind
            self.batches = Count(clamping: batches)
            self.damaged = damaged
        }
    }

    /// A range of one device's batches.
    public struct Range: Codable, Hashable, Sendable {
        /// The device that wrote them.
        public var device: Key
        /// The number of the first batch.
        public var first: Ordinal
        /// The number of the last batch.
        public var last: Ordinal

        /// Creates the value.
        public init(device: Key, first: Int, last: Int) {
            self.device = device
            self.first = Ordinal(clamping: first)
            self.last = Ordinal(clamping: last)
        }
    }
}

/// The request of `me delete`.
public struct DeleteMe: CommandRequest {
    /// The person's confirmation: nothing happens unless it is true.
    public var yes: Bool?

    /// Creates the value.
    public init(yes: Bool?) { self.yes = yes }

    /// The help of each property.
    public static let help = ["yes": "Confirms the deletion; nothing happens without it."]
}

/// The answer of `me delete`.
public struct Deletion: Codable, Hashable, Sendable {
    /// The number of batches with erases that were written.
    public var erased: Count
    /// The people whose devices confirmed that all of it is gone.
    public var confirmed: [Key]
    /// The people whose devices have not confirmed yet. They learn of it from the next device they
    /// meet that knows.
    public var unconfirmed: [Key]

    /// Creates the value.
    public init(erased: Int, confirmed: [Key], unconfirmed: [Key]) {
        self.erased = Count(clamping: erased)
        self.confirmed = confirmed
        self.unconfirmed = unconfirmed
    }
}
