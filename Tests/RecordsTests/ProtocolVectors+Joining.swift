@testable import Identity
import Records
@testable import Sync
import Testing

// Section 16: adding a device.
extension ProtocolVectors {
    /// The code of the secret 0, 1, … 9.
    private var joinCode: JoinCode {
        get throws {
            let secret = Array(0...9) as [UInt8]
            let check = Digest.joinCheck.hash(secret).bytes.prefix(2)
            let words = SpelledWords.words(of: secret + check)
            return try JoinCode(parsing: words.joined())
        }
    }

    var joining: [String: [UInt8]] {
        get throws {
            let code = try joinCode
            let check = code.key.checkCode(joiner: second.id, adder: first.id)
            return [
                "join.code": Array(code.text.utf8), "join.check-code": Array(check.utf8),
                "join.key": code.key.derived,
            ]
        }
    }

    var joinMessages: [String: Message] {
        get throws {
            let (key, record) = (try joinCode.key, ClaimedPersonRecord(try person))
            let proof = key.proof(of: .adder, joiner: second.id, adder: first.id)
            let consent = try DeviceConsent(of: second, to: founding.person)
            return [
                "join.question": .joinQuestion(
                    JoinQuestion(
                        code: key.name,
                        proof: key.proof(of: .joiner, joiner: second.id, adder: first.id))),
                "join.answer": .joinAnswer(JoinAnswer(person: record, proof: proof)),
                "join.answer.none": .joinAnswer(nil),
                "join.consent": .joinConsent(
                    JoinConsent(signature: consent.signature, name: "Phone")),
                "joined": .joined(record),
            ]
        }
    }
}
