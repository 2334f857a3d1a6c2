internal import PluginKit
internal import WalkLogAPI

/// The commands on the walk that is being recorded.
extension WalkLog {
    /// Performs `walk-log start`.
    func start(_ request: StartWalkLog) async throws -> WalkLogStatus {
        try await load()
        try requireNoRecording()
        // A device that waits for its person's data would neither record the way nor keep the walk.
        try await context.replica.requireWritable()
        var offer: AcceptedRequest?
        if let request = request.request { offer = try await accepted(request) }
        let dogs = request.dog ?? []
        guard dogs.count <= WalkLimits.dogsCountMax else {
            throw CommandFault.refused("A walk has at most \(WalkLimits.dogsCountMax) dogs.")
        }
        let people = try await mates(request.with ?? [], and: offer?.person)
        // Another command may have started a walk in the meantime.
        try requireNoRecording()
        try await begin(
            WalkBeginning(
                recording: context.random.nonce(), started: context.clock.wallTime,
                dogs: dogs.map(\.string), people: people, request: offer?.request))
        await publish(.recording)
        return try await status()
    }

    private func requireNoRecording() throws(CommandFault) {
        if let journalTrouble { throw .conflict(journalTrouble.sentence) }
        guard recorder == nil else {
            throw .conflict("A walk is being recorded already: finish or discard it first.")
        }
    }

    /// Performs `walk-log pause`.
    func pause() async throws -> WalkLogStatus {
        guard try await change({ $0.pause(uptime: $1.uptime, wallTime: $1.wallTime) }) else {
            throw CommandFault.conflict("This walk is not being recorded now.")
        }
        return try await status()
    }

    /// Performs `walk-log resume`.
    func resume() async throws -> WalkLogStatus {
        try await context.replica.requireWritable()
        guard try await change({ $0.resume(uptime: $1.uptime, wallTime: $1.wallTime) }) else {
            throw CommandFault.conflict("This walk is being recorded already.")
        }
        return try await status()
    }

    /// Changes the state of the recording; the change is on the disk when this returns.
    /// - Returns: false if it has that state already.
    private func change(
        _ change: (inout WalkRecorder, any NodeClock) -> WalkEntry?
    ) async throws -> Bool {
        try await load()
        var recorder = try recording()
        guard let entry = change(&recorder, context.clock) else { return false }
        let wasInterrupted = self.recorder?.state == .interrupted
        self.recorder = recorder
        put(entry)
        try await write()
        if wasInterrupted { try await settleInbox(about: recorder) }
        await publish(.recording)
        return true
    }

    /// Returns the recording that a command changes.
    private func recording() throws(CommandFault) -> WalkRecorder {
        if let journalTrouble { throw .conflict(journalTrouble.sentence) }
        guard !isEnding else { throw .conflict("This walk is already ending.") }
        guard let recorder else {
            throw .conflict("No walk is being recorded: 'waggle walk-log start' starts one.")
        }
        return recorder
    }

    /// Performs `walk-log finish`.
    func finish() async throws -> RecordedWalk {
        try await load()
        _ = try recording()
        let id = try await ending { try await self.keep() }
        await publish(.recording)
        guard let walk = try await walk(id...id).first else {
            throw CommandFault.failed("The walk was not stored; try again.")
        }
        return walk.answer(names: try await context.core.names())
    }

    /// Performs `walk-log discard`.
    func discard() async throws -> Done {
        try await load()
        if case .unusable(let reason) = journalTrouble { throw CommandFault.failed(reason) }
        guard journalTrouble != nil || recorder != nil else {
            throw CommandFault.conflict("No walk is being recorded.")
        }
        try await ending {}
        await publish(.recording)
        return Done()
    }

    /// Stores the walk that is being recorded.
    /// - Returns: the id of its record.
    private func keep() async throws -> EntityID {
        guard let recorder else { throw CommandFault.conflict("No walk is being recorded.") }
        return try await keep(
            recorder, uptime: context.clock.uptime, wallTime: context.clock.wallTime)
    }

    /// Stores a walk and its points, unless it was stored before and only its journal could not be
    /// removed.
    /// - Returns: the id of its record.
    func keep(
        _ recorder: WalkRecorder, uptime: Duration, wallTime: Timestamp
    ) async throws -> EntityID {
        if let kept = try await kept(recorder.beginning.recording) { return kept }
        let space = SpaceDescriptor.own(context.me)
        let kilograms = try await kilograms()
        var track: Blob?
        if !recorder.points.isEmpty {
            track = try await context.blobs.put(
                EncodedTrack.bytes(of: recorder.points), kind: EncodedTrack.kind, in: space)
        }
        let fields = recorder.fields(
            track: track, uptime: uptime, wallTime: wallTime, kilograms: kilograms)
        let ids = try await context.replica.author(
            [.create(collection: Self.walk.name, nonce: context.random.nonce(), fields: fields)],
            in: space)
        guard let id = ids.first else {
            throw CommandFault.failed("The walk was not stored; try again.")
        }
        return id
    }

    /// Ends a walk that is as long as it can be, and says so.
    func endFullWalk() async throws {
        _ = try await ending { try await self.keep() }
        await publish(.recording)
        let item = InboxItem(
            kind: Self.inboxKind, reference: "full", title: "Your walk ended after 6 hours",
            body: "A recording can last at most 6 hours. Your walk was saved.", actions: [])
        try await tell(item, [])
    }

    /// Performs `walk-log weigh`.
    func weigh(_ request: Weigh) async throws -> WalkLogStatus {
        try await context.replica.author(
            [
                .own(
                    collection: Self.walker.name,
                    fields: ["kilograms": .integer(Int64(request.kilograms.value))])
            ], in: .own(context.me))
        return try await status()
    }
}

// Asking about an interrupted walk.
extension WalkLog {
    /// Asks whether an interrupted walk goes on. Only this device has it, so the question is not
    /// stored.
    func askAboutInterruption() async throws {
        guard let recorder, recorder.state == .interrupted else { return }
        let none = NoParameters()
        try await tell(
            InboxItem(
                kind: Self.inboxKind, reference: reference(of: recorder),
                title: "The recording of your walk was interrupted",
                body: "Go on with it, or finish it as it was.", actions: ["resume", "finish"]),
            [
                DesktopNotice.Action("Go on", WalkLogCommands.resume, none),
                DesktopNotice.Action("Finish", WalkLogCommands.finish, none),
            ])
    }

    private func tell(_ item: InboxItem, _ actions: [DesktopNotice.Action]) async throws {
        try await context.core.showInInbox(item)
        try await context.desktop.notify(DesktopNotice(item, actions: actions))
    }

    /// Removes the question about a recording.
    func settleInbox(about recorder: WalkRecorder) async throws {
        try await context.core.settleInbox(reference: reference(of: recorder))
    }

    private func reference(of recorder: WalkRecorder) -> String {
        "walklog-\(Hexadecimal.text(recorder.beginning.recording.bytes))"
    }
}
