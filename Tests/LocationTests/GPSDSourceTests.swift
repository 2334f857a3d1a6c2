import Location
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import GPSD

/// Tests the source with a service on the loopback interface that sends a test's lines.
struct GPSDSourceTests {
    /// Sends its lines to each client after the client's request, then closes the connection.
    private final class Speaker: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let text: String
        private let asked: Mutex<String>

        init(_ text: String, asked: String = "") {
            self.text = text
            self.asked = Mutex(asked)
        }

        var question: String { asked.withLock { $0 } }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let said = String(buffer: unwrapInboundIn(data))
            let isWhole = asked.withLock { asked in
                asked += said
                return asked.hasSuffix("\n")
            }
            guard isWhole else { return }
            context.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
            context.close(promise: nil)
        }
    }

    /// Greets and answers like a gpsd without a receiver, a limited number of times. After one more
    /// request it sends its last text and closes the connection, or sends nothing if there is no
    /// text.
    private final class Receiverless: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private static let devices = #"{"class":"DEVICES","devices":[]}"# + "\r\n"
        private let answersCount: Int
        private let lastWords: String?
        private let asked = Mutex("")

        init(answersCount: Int, lastWords: String? = nil) {
            self.answersCount = answersCount
            self.lastWords = lastWords
        }

        /// The requests after the first one, which every client sends.
        var questions: [String] {
            let lines = asked.withLock { $0 }.split(separator: "\n")
            return lines.dropFirst().map { String($0) }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let said = String(buffer: unwrapInboundIn(data))
            asked.withLock { $0 += said }
            guard said.hasSuffix("\n") else { return }
            let count = questions.count
            if count == 0 {
                say(GPSDSourceTests.version + Receiverless.devices, context)
            } else if count <= answersCount {
                say(Receiverless.devices, context)
            } else if let lastWords {
                say(lastWords, context)
                context.close(promise: nil)
            }
        }

        private func say(_ text: String, _ context: ChannelHandlerContext) {
            context.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
        }
    }

    /// Runs a source with a service that sends a text.
    private func reports(
        _ text: String
    ) async throws -> ([LocationReport], LocationFault?, String) {
        let speaker = Speaker(text)
        let (said, fault) = try await reports(of: speaker)
        return (said, fault, speaker.question)
    }

    /// Runs a source with a service that counts as lost after this time without a line.
    private func reports(
        of service: any ChannelHandler & Sendable, silenceMax: Duration = GPSDSource.silenceMax
    ) async throws -> ([LocationReport], LocationFault?) {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { $0.pipeline.addHandler(service) }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let said = Mutex<[LocationReport]>([])
        var fault: LocationFault?
        do {
            let source = GPSDSource(host: "127.0.0.1", port: port, silenceMax: silenceMax)
            try await source.run { report in said.withLock { $0.append(report) } }
        } catch let thrown as LocationFault { fault = thrown }
        try await server.close()
        return (said.withLock { $0 }, fault)
    }

    private static let version = #"{"class":"VERSION","proto_major":3,"proto_minor":14}"# + "\n"

    @Test func `fixes are reported, and a service that goes away is lost`() async throws {
        let (said, fault, question) = try await reports(
            Self.version + #"{"class":"TPV","mode":1}"# + "\r\n"
                + #"{"class":"TPV","mode":3,"lat":1,"lon":2,"eph":4}"# + "\n"
                + #"{"class":"TPV","mode":3,"lat":"#)
        let fix = Fix(point: try Point(latitude: 1, longitude: 2), accuracyMetres: 4)
        #expect(said == [.searching, .searching, .fix(fix)])
        #expect(fault == .lost)
        #expect(question.hasPrefix("?WATCH="))
    }

    @Test func `another protocol version, or another protocol, is a permanent fault`() async throws
    {
        for text in [#"{"class":"VERSION","proto_major":4}"# + "\n", "220 mail ready\r\n"] {
            let (said, fault, _) = try await reports(text)
            #expect(said == [.searching])
            #expect(fault?.canRecover == false)
        }
    }

    @Test func `an endless line is not buffered for ever`() async throws {
        let (_, fault, _) = try await reports(String(repeating: "x", count: 200_000))
        #expect(fault?.canRecover == false)
    }

    @Test func `a gpsd's broken line is ignored, and later lines are read`() async throws {
        let good = #"{"class":"TPV","mode":3,"lat":1,"lon":2}"#
        let broken = [
            #"{"class":"TPV","mode":3,"lat":nan,"lon":2}"#, #"{"class":"TPV","mo"#,
            "\u{0}\u{1b}[2J",
            #"{"class":"TPV","mode":3,"lat":1e999,"lon":2}"#, "",
            String(repeating: "y", count: 60_000),
        ]
        let (said, fault, _) = try await reports(
            Self.version + broken.joined(separator: "\n") + "\n" + good + "\n")
        #expect(said == [.searching, .fix(Fix(point: try Point(latitude: 1, longitude: 2)))])
        #expect(fault == .lost)
    }

    @Test func `a gpsd with an endless line is lost, and tried again`() async throws {
        let (_, fault, _) = try await reports(
            Self.version + String(repeating: "x", count: 1024 * 1024))
        #expect(fault == .lost)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a gpsd without a receiver answers requests, and is not lost`()
        async throws
    {
        let lastWords = #"{"class":"TPV","mode":3,"lat":1,"lon":2}"# + "\n"
        let gpsd = Receiverless(answersCount: 3, lastWords: lastWords)
        // Each request comes after half the limit: with the fourth one, two limits have passed. An
        // answer has three seconds.
        let (said, fault) = try await reports(of: gpsd, silenceMax: .seconds(6))
        let fix = Fix(point: try Point(latitude: 1, longitude: 2))
        #expect(said == [.searching, .fix(fix)])
        #expect(fault == .lost)
        #expect(gpsd.questions == [String](repeating: "?DEVICES;", count: 4))
    }

    @Test(.timeLimit(.minutes(1)), arguments: [0, 2])
    func `a gpsd that stops answering is lost after the limit, and not before`(
        answersCount: Int
    ) async throws {
        let gpsd = Receiverless(answersCount: answersCount)
        let began = ContinuousClock.now
        let (said, fault) = try await reports(of: gpsd, silenceMax: .seconds(4))
        let passed = ContinuousClock.now - began
        #expect(said == [.searching])
        #expect(fault == .lost)
        #expect(gpsd.questions == [String](repeating: "?DEVICES;", count: answersCount + 1))
        // Half the limit before each request, and half after the last.
        #expect(passed >= .seconds(2 * (answersCount + 2)))
    }

    @Test func `a closed port is reported as a temporary fault`() async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        try await server.close()
        await #expect {
            try await GPSDSource(host: "127.0.0.1", port: port).run { _ in }
        } throws: { fault in
            guard let fault = fault as? LocationFault, fault.canRecover else { return false }
            return fault
                == .unreachable(address: "127.0.0.1:\(port)", reason: "Connection refused")
        }
    }
}
