internal import FeaturesAPI
internal import PluginKit

/// Measured distances and directions for people and programs: the choice of the provider, and its
/// newest measurements.
struct Distances: Feature {
    let context: PluginContext

    static let manifest = Manifest(
        id: CoreFeatures.id, version: 1, events: [RangingEvents.changed.declaration],
        services: [.ranging, .location, .nearby])

    static let commands: [CommandHandler] = [
        CoreFeatures.handle(RangingCommands.show) { core, _ in
            try await core.distances.show()
        },
        CoreFeatures.handle(RangingCommands.source) { core, request in
            try await core.distances.choose(request)
        },
        CoreFeatures.handle(RangingCommands.measure) { core, _ in
            try await core.distances.measure()
        },
    ]

    /// Answers `ranging show`.
    func show() async throws -> RangingStatus {
        let provider = try await context.ranging.provider()
        let measurements = try await context.ranging.measurements()
        let names = measurements.isEmpty ? [:] : try await context.core.namesNearby()
        let now = context.clock.uptime
        return RangingStatus(
            provider,
            measurements: measurements.values.sorted {
                ($0.distanceMetres ?? .infinity, $0.device)
                    < ($1.distanceMetres ?? .infinity, $1.device)
            }.map { MeasuredWay($0, name: names[$0.device.description], now: now) })
    }

    /// Performs `ranging source`.
    func choose(_ request: ChooseRangingSource) async throws -> RangingStatus {
        try await context.ranging.choose(try RangingChoice(request))
        await context.publish(RangingEvents.changed, RangingSourceChange())
        return try await show()
    }

    /// Performs `ranging measure`.
    func measure() async throws -> RangingStatus {
        try await context.ranging.measure(for: RangingCommands.measuringDuration)
        return try await show()
    }
}

extension RangingChoice {
    /// Reads the provider that `ranging source` names.
    /// - Throws: ``CommandFault/refused(_:)`` if the file is missing, or if the provider has none.
    init(_ request: ChooseRangingSource) throws(CommandFault) {
        switch (request.source, request.file) {
        case (.off, nil): self = .off
        case (.device, nil): self = .device
        case (.recorded, let file?): self = .recorded(path: file.string)
        case (.simulated, let file?): self = .simulated(path: file.string)
        case (.off, .some), (.device, .some):
            let option = "file"
            throw .refused("The source '\(request.source.rawValue)' takes no '\(option)'.")
        case (.recorded, nil), (.simulated, nil):
            throw .refused("Name the file to play with --file.")
        }
    }
}

extension RangingStatus {
    /// Creates the answer from the state of a provider.
    fileprivate init(_ provider: RangingProvider, measurements: [MeasuredWay]) {
        let (source, file): (RangingSourceName, String?) =
            switch provider.choice {
            case .off: (.off, nil)
            case .device: (.device, nil)
            case .recorded(let path): (.recorded, path)
            case .simulated(let path): (.simulated, path)
            }
        let (state, reason): (State, Sentence?) =
            switch provider.state {
            case .off: (.off, nil)
            case .resting: (.resting, nil)
            case .measuring: (.measuring, nil)
            case .ended: (.ended, nil)
            case .failed(let reason): (.failed, reason)
            }
        self.init(
            source: source, state: state, reason: reason, file: file,
            refusedCount: provider.refusedCount, refusal: provider.lastRefusal?.sentence,
            measurements: measurements)
    }
}

extension MeasuredWay {
    /// Shows a measurement.
    init(_ measurement: RangeMeasurement, name: String?, now: Duration) {
        self.init(
            device: Key(measurement.device), name: name,
            distanceMetres: measurement.distanceMetres,
            uncertaintyMetres: measurement.uncertaintyMetres,
            turnDegrees: measurement.direction?.turnDegrees,
            ageSeconds: Int(measurement.age(at: now).components.seconds))
    }
}
