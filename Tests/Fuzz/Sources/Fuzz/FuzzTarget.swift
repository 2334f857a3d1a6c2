import CFuzzer

/// One decoder and the rules that hold for every input.
struct FuzzTarget: Sendable {
    /// The name on the command line, and of its folder of inputs.
    let name: String
    private let limit: CostLimit
    private let check: @Sendable ([UInt8]) throws -> Void

    init(
        _ name: String, costing limit: CostLimit = .small,
        _ check: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        self.name = name
        self.limit = limit
        self.check = check
    }

    /// Tries one input; ends the process if a rule is broken.
    func run(_ bytes: [UInt8]) {
        costs_begin()
        do {
            try check(bytes)
        } catch let broken as BrokenRule {
            fatalError("\(name): \(broken.rule)")
        } catch {
            // Refused, as most inputs are.
        }
        let costs = costs_so_far()
        let allocatedMax = limit.allocatedBytesMax(forBytes: bytes.count)
        guard costs.allocated_bytes <= allocatedMax else {
            fatalError(
                "\(name): \(bytes.count) bytes allocated \(costs.allocated_bytes), "
                    + "over \(allocatedMax)")
        }
        guard costs.checks <= limit.checksMax else {
            fatalError("\(name): \(costs.checks) signatures checked, over \(limit.checksMax)")
        }
    }

    /// The target that the command line names.
    static let chosen = all.first { $0.name == CommandLine.arguments.dropFirst().first }
}

/// The most that an input may cost while it is decoded, encoded and compared.
struct CostLimit: Sendable {
    /// Bytes allocated in all, freed or not, for each byte of the input.
    var allocatedBytesPerByteMax: Int
    /// Bytes allocated besides.
    var allocatedBytesBesidesMax: Int
    /// Signatures checked.
    var checksMax = 0

    /// The limit of a decoder that keeps little besides its input.
    static let small = CostLimit(
        allocatedBytesPerByteMax: 512, allocatedBytesBesidesMax: 1 << 16)
    /// The limit of a decoder whose result may be much longer than its input.
    static let large = CostLimit(
        allocatedBytesPerByteMax: 4096, allocatedBytesBesidesMax: 1 << 20)

    /// The same with a number of checked signatures.
    func checking(_ checksMax: Int) -> CostLimit {
        var limit = self
        limit.checksMax = checksMax
        return limit
    }

    func allocatedBytesMax(forBytes count: Int) -> Int {
        allocatedBytesBesidesMax + count * allocatedBytesPerByteMax
    }
}

/// Returns what a function makes, and the bytes that this keeps allocated.
func weighed<Made>(_ make: () throws -> Made) rethrows -> (Made, heldBytes: Int) {
    let before = costs_so_far().held_bytes
    let made = try make()
    return (made, costs_so_far().held_bytes - before)
}

/// A rule that an input broke.
struct BrokenRule: Error {
    let rule: String
}

/// Breaks the run unless a rule holds.
func require(_ holds: Bool, _ rule: @autoclosure () -> String) throws(BrokenRule) {
    guard holds else { throw BrokenRule(rule: rule()) }
}
