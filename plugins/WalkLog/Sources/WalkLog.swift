public import PluginKit
internal import WalkLogAPI

/// The walk log: records this device's way while its person walks, and keeps the walks.
///
/// A recording is in memory and in the plugin's journal, which no other device receives. A finished
/// walk is a record of this person's own space, with its points as content.
public actor WalkLog: Plugin {
    let context: PluginContext

    /// The walk that is being recorded; nil if there is none.
    var recorder: WalkRecorder?
    /// The reason why the journal of an earlier run cannot be used, if there is one.
    private(set) var journalTrouble: WalkJournalTrouble?
    /// The reason why entries could not be written, until they are.
    private(set) var writingTrouble: Sentence?
    /// Whether the recording is being turned into a walk or removed, so that nothing changes it.
    private(set) var isEnding = false
    /// Whether the journal was read.
    private var isLoaded = false
    /// The entries that are not in the journal yet.
    private var unwritten: [WalkEntry] = []
    /// The uptime at which they are written.
    private var writingDue: Duration?
    /// The uptime of the last entry.
    private var lastEntryUptime = Duration.zero
    /// The uptime of the last fix that was looked at.
    private var lastFixUptime: Duration?
    private let writing = SingleFlight()
    /// Rings if something is due before the end of the wait.
    private let alarm = Alarm()

    /// Creates the plugin with the services it may use.
    public init(context: PluginContext) { self.context = context }

    /// Reads the journal, asks what becomes of an interrupted walk, writes waiting entries, and
    /// ends a walk that is as long as it can be.
    public func run() async throws {
        try await context.replica.open(.own(context.me))
        try await load()
        try await askAboutInterruption()
        while true {
            try await alarm.wait(for: untilDue, on: context.clock)
            try await doWhatIsDue()
        }
    }

    /// Publishes that walks changed, and tells about walks that mates show.
    public func applied(_ changes: [RecordChange]) async throws {
        let shared = changes.filter { $0.collection == Self.sharedWalk.name }
        for change in shared where change.author != context.me {
            try await tellShared(change.entity, by: change.author)
        }
        if shared.count < changes.count { await publish(.walks) }
        if !shared.isEmpty { await publish(.shared) }
    }

    /// Records where this device is.
    public func moved(_ whereabouts: Whereabouts) async throws {
        guard !isEnding, let fix = whereabouts.fix, let fixUptime = whereabouts.fixUptime,
            whereabouts.state == .known, fixUptime != lastFixUptime
        else { return }
        lastFixUptime = fixUptime
        let uptime = context.clock.uptime
        guard uptime - fixUptime <= WalkLimits.fixAgeMax,
            let entry = recorder?.receive(fix, uptime: uptime, wallTime: context.clock.wallTime)
        else { return }
        put(entry)
        await publish(.track)
    }

    /// Publishes that the content of a walk arrived.
    public func contentArrived(_ blob: Blob, in space: SpaceDescriptor) async throws {
        await publish(.walks)
    }

    func publish(_ part: WalkLogChange.Part) async {
        await context.events.publish(WalkLogEvents.changed, WalkLogChange(part: part))
    }
}

// The journal.
extension WalkLog {
    /// Reads the journal of a walk that the last run of the node left. A file that cannot be read
    /// is left as it is, and tried again by the next call.
    func load() async throws {
        guard !isLoaded else { return }
        var loaded: WalkRecorder?
        var trouble: WalkJournalTrouble?
        do {
            loaded = try WalkRecorder(journal: try await context.journal.entries())
        } catch let fault as WalkJournalFault {
            trouble = .damaged(fault)
        } catch let fault as CommandFault {
            if !isLoaded { journalTrouble = .unusable(fault.reason) }
            return
        }
        if let recording = loaded?.beginning.recording, try await kept(recording) != nil {
            // The node ended after the walk was kept and before its journal was removed.
            try await context.journal.clear()
            loaded = nil
        }
        // Another call may have read the journal in the meantime.
        guard !isLoaded else { return }
        isLoaded = true
        recorder = loaded
        journalTrouble = trouble
    }

    /// Adds an entry to those that are written soon.
    func put(_ entry: WalkEntry) {
        unwritten.append(entry)
        lastEntryUptime = context.clock.uptime
        guard writingDue == nil else { return }
        writingDue = lastEntryUptime + WalkLimits.writeInterval
        alarm.ring()
    }

    /// Writes all waiting entries; they are on the disk when this returns.
    /// - Throws: the fault of the journal. The entries wait and are written later.
    func write() async throws {
        guard writing.request() else {
            await writing.finished()
            if let writingTrouble { throw CommandFault.failed(writingTrouble) }
            return
        }
        try await writing.run { try await self.writeOnce() }
    }

    private func writeOnce() async throws {
        let entries = unwritten
        guard !entries.isEmpty else { return }
        do {
            try await context.journal.append(entries.map(\.encoded))
            unwritten.removeFirst(min(entries.count, unwritten.count))
            writingTrouble = nil
            writingDue =
                unwritten.isEmpty ? nil : context.clock.uptime + WalkLimits.writeInterval
        } catch {
            writingDue = context.clock.uptime + WalkLimits.writeInterval
            writingTrouble = (error as? CommandFault)?.reason ?? "\(error)"
            throw error
        }
    }

    /// Begins a recording; its beginning is in the journal when this returns.
    func begin(_ beginning: WalkBeginning) async throws {
        let new = WalkRecorder(beginning, uptime: context.clock.uptime)
        recorder = new
        put(new.begun)
        do { try await write() } catch {
            forget()
            throw error
        }
    }

    /// Performs work that ends the recording. Nothing changes the recording meanwhile.
    /// - Throws: ``CommandFault/conflict(_:)`` if another command is ending it, and the work's
    ///   errors; the recording goes on then.
    func ending<Result>(_ work: () async throws -> Result) async throws -> Result {
        guard !isEnding else { throw CommandFault.conflict("This walk is already ending.") }
        isEnding = true
        defer {
            isEnding = false
            alarm.ring()
        }
        if !unwritten.isEmpty { try? await write() }
        let result = try await work()
        try await context.journal.clear()
        if let recorder, recorder.state == .interrupted { try await settleInbox(about: recorder) }
        forget()
        return result
    }

    /// Removes the recording from memory.
    private func forget() {
        recorder = nil
        journalTrouble = nil
        writingTrouble = nil
        writingDue = nil
        unwritten = []
    }
}

// The time.
extension WalkLog {
    private static let restMax = Duration.seconds(3600)

    private var untilDue: Duration {
        let uptime = context.clock.uptime
        var waits = [Self.restMax]
        // The end of the recording rings.
        guard !isEnding else { return Self.restMax }
        if let writingDue { waits.append(writingDue - uptime) }
        if let recorder, recorder.state == .recording {
            waits.append(lastEntryUptime + WalkLimits.aliveInterval - uptime)
            if let left = recorder.left(uptime: uptime) { waits.append(left) }
        }
        return max(.zero, waits.min() ?? Self.restMax)
    }

    private func doWhatIsDue() async throws {
        let uptime = context.clock.uptime
        guard !isEnding else { return }
        if recorder?.state == .recording {
            if recorder?.isFull(uptime: uptime) == true { return try await endFullWalk() }
            if uptime - lastEntryUptime >= WalkLimits.aliveInterval,
                let entry = recorder?.stayAlive(
                    uptime: uptime, wallTime: context.clock.wallTime)
            {
                put(entry)
            }
        }
        guard let writingDue, uptime >= writingDue else { return }
        do { try await write() } catch {
            // The status shows it, and the entries are written again later.
            context.logger.error("a walk could not be written", metadata: ["why": "\(error)"])
            await publish(.recording)
        }
    }
}
