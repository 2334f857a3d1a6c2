import CFuzzer

/// One decoder and the rules that hold for every input.
struct FuzzTarget: Sendable {
    /// The name on the command line, and of its folder of inputs.
    let name: String
    /// The maximum number of bytes that may be allocated for an input: per byte of input, and in
    /// total.
    let allocatedBytesMax: (perByte: Int, base: Int)
    private let check: @Sendable ([UInt8]) throws -> Void

    init(
        _ name: String, allocating allocatedBytesMax: (perByte: Int, base: Int) = (512, 1 << 16),
        _ check: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        self.name = name
        self.allocatedBytesMax = allocatedBytesMax
        self.check = check
    }

    /// Tries one input; ends the process if a rule is broken.
    func run(_ bytes: [UInt8]) {
        _ = allocations_take()
        do {
            try check(bytes)
        } catch let broken as BrokenRule {
            fatalError("\(name): \(broken.rule)")
        } catch {
            // Refused, as most inputs are.
        }
        let allocated = allocations_take()
        let limit = allocatedBytesMax.base + bytes.count * allocatedBytesMax.perByte
        guard allocated <= limit else {
            fatalError("\(name): \(bytes.count) bytes cost \(allocated), over \(limit)")
        }
    }

    /// The target that the command line names.
    static let chosen = all.first { $0.name == CommandLine.arguments.dropFirst().first }
}

/// A rule that an input broke.
struct BrokenRule: Error {
    let rule: String
}

/// Breaks the run unless a rule holds.
func require(_ holds: Bool, _ rule: @autoclosure () -> String) throws(BrokenRule) {
    guard holds else { throw BrokenRule(rule: rule()) }
}
