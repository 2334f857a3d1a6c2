import PluginKit
import Records

/// What the table of the workload's records holds in the end.
struct FinalState: Equatable {
    let fieldsCount: Int
    let hash: String

    /// - Parameter fields: each field's value by its name.
    init(_ fields: [String: String]) {
        fieldsCount = fields.count
        hash = Workload.hash(ofState: fields)
    }

    /// Whether it is what the workload must lead to.
    var isRight: Bool {
        fieldsCount == Workload.stateFieldsCount && hash == Workload.stateHash
    }

    /// Refuses every other state than the one the workload must lead to.
    /// - Throws: ``BenchFault/wrongState(_:)``.
    func check() throws(BenchFault) {
        guard isRight else { throw .wrongState(self) }
    }

    /// Reads the SQL table back. A record is known by the nonce its creation was made with, so the
    /// rows are matched by the ids that follow from the household.
    static func read(_ rows: (String) async throws -> [Row]) async throws -> FinalState {
        let household = try Household()
        var numbers: [EntityID: Int] = [:]
        for (number, id) in SignedWorkload.records(of: household).enumerated() {
            numbers[id] = number
        }
        var state: [String: String] = [:]
        for row in try await rows("SELECT * FROM fields_records") {
            guard let id = row.entity("entity"), let record = numbers[id] else { continue }
            for field in 0..<Workload.fieldsCount {
                if let value = row.text("f\(field)") { state["e\(record).f\(field)"] = value }
            }
        }
        return FinalState(state)
    }

    var json: JSONValue {
        ["fields": .integer(Int64(fieldsCount)), "hash": .string(hash), "right": .boolean(isRight)]
    }
}
