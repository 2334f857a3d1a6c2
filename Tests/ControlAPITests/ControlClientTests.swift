import Contract
import NIOCore
import Testing

@testable import ControlClient

struct ControlClientTests {
    @Test(arguments: [ChannelError.ioOnClosedChannel, .alreadyClosed, .eof, .inputClosed])
    func `a channel that closed before the answer says that Waggle stopped`(
        _ error: ChannelError
    ) async throws {
        let client = ControlClient(socketPath: "/nowhere/waggle.sock")
        #expect(client.fault(error).sentence.hasPrefix("Waggle stopped before it answered"))
        try await client.shutdown()
    }
}
