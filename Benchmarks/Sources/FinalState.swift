import PluginKit
import Records

/// The final content of the workload's table.
struct FinalState: Equatable {
    let fieldsCount: Int
    let hash: String

    /// Creates a state.
    /// - Parameter fields: each field's value by its name.
    init(_ fields: [String: String]) {
        fieldsCount = fields.count
        hash = Workload.hash(ofState: fields)
    }

    /// Whether this is the correct final state of the workload.
    var isRight: Bool {
        fieldsCount == Workload.stateFieldsCount && hash == Workload.stateHash
    }

    /// Checks that this is the correct final state.
    /// - Throws: ``BenchFault/wrongState(_:)``.
    func check() throws(BenchFault) {
        guard isRight else { throw .wrongState(self) }
    }

    /// Reads the state from the SQL table. Rows are identified by the records' ids, which are
    /// derived from the household and the nonces of their creation.
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

    /// The answer of `fields state`.
    var answer: FieldsState { FieldsState(fields: fieldsCount, hash: hash, right: isRight) }
}
