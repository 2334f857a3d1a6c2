import Contract
import Glibc

/// The paths of one node's files, in the XDG directories or in one directory for everything.
public struct Home: Hashable, Sendable {
    /// The absolute path of the directory of all persistent files.
    public let directory: String
    private let socketDirectory: String?

    /// Creates a home with all its files in one directory, the socket too.
    /// - Parameter directory: absolute, or relative to the directory in which the process was
    ///   started.
    public init(_ directory: String) {
        let absolute = Self.absolute(directory)
        self.directory = absolute
        socketDirectory = absolute
    }

    /// Returns the home that `--home` names, else `$XDG_DATA_HOME/waggle` (by default
    /// `~/.local/share/waggle`) with the socket in `$XDG_RUNTIME_DIR/waggle`.
    /// - Throws: ``HomeFault/noDataDirectory``. A missing runtime directory is reported only when
    ///   the socket is needed.
    public static func resolve(
        _ explicit: String?, environment: [String: String]
    ) throws(HomeFault) -> Home {
        if let explicit { return Home(explicit) }
        // XDG says that a relative path in these variables is to be ignored.
        func directory(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        guard
            let base = directory("XDG_DATA_HOME")
                ?? directory("HOME").map({ $0 + "/.local/share" })
        else { throw .noDataDirectory }
        return Home(
            directory: base + "/waggle",
            socketDirectory: directory("XDG_RUNTIME_DIR").map { $0 + "/waggle" })
    }

    private init(directory: String, socketDirectory: String?) {
        self.directory = directory
        self.socketDirectory = socketDirectory
    }

    /// The device's private key.
    public var deviceKeyFile: String { directory + "/device.key" }
    /// The person's founding record and device list.
    public var personRecordFile: String { directory + "/person.record" }
    /// The replica's database.
    public var replicaFile: String { directory + "/replica.db" }
    /// The directory with photos and other content, one file each.
    public var blobsDirectory: String { directory + "/blobs" }
    /// The file that a running node keeps locked.
    public var lockFile: String { directory + "/lock" }
    /// The settings of this device.
    public var settingsFile: String { directory + "/config.json" }
    /// The recovery words of a new person, until the person has confirmed that they wrote them
    /// down; only the owner may read it.
    public var recoveryWordsFile: String { directory + "/recovery.words" }
    /// The files of a home that waits for its person: one who comes back by recovery words, or one
    /// whose other device shows a code.
    public var recoveringDirectory: String { directory + "/recovering" }
    /// The words, until the person is known; only the owner may read them.
    public var recoveringWordsFile: String { recoveringDirectory + "/words" }
    /// The person who is to come back, if the words alone are not enough.
    public var recoveringPersonFile: String { recoveringDirectory + "/person" }
    /// The code with which a home waits to join a person; only the owner may read it.
    public var joiningCodeFile: String { recoveringDirectory + "/code" }
    /// The database of a home that waits; it holds nothing of its person.
    public var recoveringReplicaFile: String { recoveringDirectory + "/replica.db" }
    /// The record of what came back by recovery words, and from whom.
    public var regainedFile: String { directory + "/regained.json" }
    /// The home of the practice mate, while there is one.
    public var practiceDirectory: String { directory + "/practice" }
    /// The practice mate's log, which stays if it ends by itself.
    public var practiceLogFile: String { directory + "/practice.log" }
    /// The files that were dragged out of the window, until it is closed.
    public var draggedDirectory: String { directory + "/dragged" }
    /// The tips that the window shows no longer.
    public var tipsFile: String { directory + "/window.tips" }
    /// The node's log.
    public var logFile: String { directory + "/node.log" }

    /// Whether an identity was created here: the person's record is written last.
    public var hasIdentity: Bool { unsafe access(personRecordFile, F_OK) == 0 }

    /// Whether this home waits for its person to come back by recovery words.
    public var isRecovering: Bool {
        unsafe !hasIdentity && access(recoveringWordsFile, F_OK) == 0
    }

    /// Whether this home waits to join a person by a code.
    public var isJoining: Bool { unsafe !hasIdentity && access(joiningCodeFile, F_OK) == 0 }

    /// Whether this home waits for its person.
    public var isWaiting: Bool { isRecovering || isJoining }

    /// Whether the lock file of a running node exists; false if the home has been removed.
    public var isLocked: Bool { unsafe access(lockFile, F_OK) == 0 }

    /// Returns the path of the local API's socket.
    /// - Throws: ``HomeFault/noRuntimeDirectory``, then
    ///   ``HomeFault/socketPathTooLong(path:bytes:limit:)``.
    public func socketPath() throws(HomeFault) -> String {
        guard let socketDirectory else { throw .noRuntimeDirectory }
        let path = socketDirectory + "/api.sock"
        guard path.utf8.count <= APILimits.socketPathBytesMax else {
            throw .socketPathTooLong(
                path: socketDirectory, bytes: path.utf8.count,
                limit: APILimits.socketPathBytesMax)
        }
        return path
    }

    /// Creates the data directory, for the owner alone, if it does not exist.
    /// - Throws: ``HomeFault`` if it cannot be used.
    public func prepare() throws(HomeFault) {
        try PrivateDirectory.prepare(directory)
    }

    /// Creates the socket's directory, for the owner alone, if it does not exist.
    /// - Returns: the socket's path.
    /// - Throws: ``HomeFault`` if it cannot be used.
    public func prepareSocket() throws(HomeFault) -> String {
        let path = try socketPath()
        if let socketDirectory { try PrivateDirectory.prepare(socketDirectory) }
        return path
    }

    /// Returns the name on the session bus of the window for this home: the application's own for
    /// the user's own home, and one that derives from the directory for any other, so that each
    /// home has one window.
    public func applicationID(_ environment: [String: String]) -> String {
        let own = try? Home.resolve(nil, environment: environment)
        guard directory != own?.directory else { return Self.application }
        return "\(Self.application).Home\(String(Checksum.of(directory), radix: 16))"
    }

    /// The id of the application: on the bus, in the .desktop file, of the icon.
    public static let application = "org.waggle.Waggle"

    private static func absolute(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard !path.hasPrefix("/"), let current = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(current) }
        let start = unsafe String(cString: current)
        return path == "." ? start : "\(start)/\(path)"
    }
}
