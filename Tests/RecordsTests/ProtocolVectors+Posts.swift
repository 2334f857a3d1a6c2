import Identity
import Records

@testable import Posts

// Section 21, messages to authors of posts.
extension ProtocolVectors {
    /// A request of the first person to the other one, an acceptance of it, and the messages.
    var correspondence: [String: [UInt8]] {
        get throws {
            let id = Bytes16([UInt8](repeating: 0xa7, count: 16)) ?? .zero
            let post = EntityID(raw: Bytes16([UInt8](repeating: 0xb8, count: 16)) ?? .zero)
            let time = Timestamp(milliseconds: 1_700_000_000_000)
            let request = CorrespondenceStatement.request(
                id, to: otherPerson, post: post, at: time, text: "산책?")
            let acceptance = CorrespondenceStatement.acceptance(
                id, of: founding.person, at: time)
            let signed = try SignedStatement(
                request.encoded, topic: Correspondences.topic, by: first, of: person)
            let message = CorrespondenceMessage.request(signed.encoded, name: "Mari")
            return [
                "posts.request.content": request.encoded,
                "posts.acceptance.content": acceptance.encoded,
                "posts.request.statement": signed.encoded,
                "posts.request": message.encoded,
                "posts.holds": CorrespondenceMessage.holds(id).encoded,
                "posts.over": CorrespondenceMessage.over(id).encoded,
                "posts.known": CorrespondenceMessage.known(id).encoded,
            ]
        }
    }
}
