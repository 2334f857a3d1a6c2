internal import Foundation
public import Location
internal import NIOCore
internal import NIOPosix

/// A GPS receiver that is read through the gpsd of this or another host.
public struct GPSDSource: LocationSource {
    /// The host that is used by default.
    public static let defaultHost = "127.0.0.1"
    /// The port that gpsd uses by default.
    public static let defaultPort = 2947
    /// The time without a line after which gpsd counts as lost. With a receiver it reports once a
    /// second. Without one it sends nothing, and is asked after half of this time.
    static let silenceMax = Duration.seconds(30)
    /// The longest time for opening a connection.
    static let connectMax = Duration.seconds(5)

    private let host: String
    private let port: Int
    private let silenceMax: Duration

    /// Creates a source that is not connected yet.
    public init(host: String = GPSDSource.defaultHost, port: Int = GPSDSource.defaultPort) {
        self.init(host: host, port: port, silenceMax: GPSDSource.silenceMax)
    }

    /// Creates a source with another time after which gpsd counts as lost.
    init(host: String, port: Int, silenceMax: Duration) {
        self.host = host
        self.port = port
        self.silenceMax = silenceMax
    }

    /// Reports locations from gpsd until the connection ends, which is an error.
    public func run(_ report: @Sendable (LocationReport) async -> Void) async throws {
        let lines = try await connect()
        do {
            try await follow(lines, report)
        } catch let fault as LocationFault {
            throw fault
        } catch {
            // Every fault here means that gpsd was available and is not any more.
            try Task.checkCancellation()
        }
        throw LocationFault.lost
    }

    private func follow(
        _ lines: NIOAsyncChannel<ByteBuffer, ByteBuffer>,
        _ report: @Sendable (LocationReport) async -> Void
    ) async throws {
        try await lines.executeThenClose { inbound, outbound in
            try await outbound.write(
                ByteBuffer(string: "?WATCH={\"enable\":true,\"json\":true};\n"))
            await report(.searching)
            var isGreeted = false
            do {
                for try await line in inbound {
                    let received = try GPSDReport(line: Array(line.readableBytesView))
                    isGreeted = try GPSDSource.isGreeted(isGreeted, by: received)
                    if case .position(let fix) = received {
                        await report(fix.map { .fix($0) } ?? .searching)
                    }
                }
            } catch is EndlessLine {
                guard !isGreeted else { throw LocationFault.lost }
                throw LocationFault.notUnderstood(reason: "an endless line")
            }
        }
    }

    /// Whether gpsd has sent its greeting, including the present line. After the greeting a broken
    /// line is ignored, because one occurs when a device is unplugged. Before it, a broken line
    /// shows that the service is not gpsd.
    private static func isGreeted(
        _ isGreeted: Bool, by received: GPSDReport
    ) throws(LocationFault) -> Bool {
        switch received {
        case .version(GPSDReport.versionMajor): true
        case .version(let major):
            throw .notUnderstood(reason: "version \(major) of the protocol")
        case .garbled where !isGreeted: throw .notUnderstood(reason: "a line that is not a report")
        case .garbled, .position, .other: isGreeted
        }
    }

    private func connect() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        let quietMax = TimeAmount(silenceMax / 2)
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(TimeAmount(GPSDSource.connectMax))
                .connect(host: host, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers(
                            ByteToMessageHandler(LineDecoder()),
                            IdleStateHandler(readTimeout: quietMax),
                            SilenceEnds())
                        return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            throw LocationFault.unreachable(
                address: "\(host):\(port)", reason: GPSDSource.reason(of: error))
        }
    }

    /// The system's words for why a connection could not be opened.
    private static func reason(of error: any Error) -> String {
        let first = (error as? NIOConnectionError)?.connectionErrors.first?.error ?? error
        guard let code = (first as? IOError)?.errnoCode else { return "\(first)" }
        return unsafe String(cString: strerror(code))
    }
}

/// More bytes arrived than a line may have.
private struct EndlessLine: Error {}

/// Divides the received bytes into lines up to the limit.
private struct LineDecoder: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    /// The number of bytes of the present line that were searched for its end.
    private var searchedBytes = 0

    mutating func decode(
        context: ChannelHandlerContext, buffer: inout ByteBuffer
    ) throws -> DecodingState {
        let unsearched = buffer.readableBytesView.dropFirst(searchedBytes)
        guard let end = unsearched.firstIndex(of: UInt8(ascii: "\n")) else {
            searchedBytes = buffer.readableBytes
            guard buffer.readableBytes <= GPSDReport.lineBytesMax else {
                throw EndlessLine()
            }
            return .needMoreData
        }
        searchedBytes = 0
        if let line = buffer.readSlice(length: end - buffer.readerIndex), line.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(line))
        }
        buffer.moveReaderIndex(forwardBy: 1)
        return .continue
    }
}

/// Asks whether gpsd still answers after a silence, and ends the connection after a second silence
/// of the same length.
private final class SilenceEnds: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// A request without side effects, which gpsd answers even without a device, with an empty
    /// list.
    private static let question = "?DEVICES;\n"

    /// Whether no line has arrived since the request.
    private var isWaiting = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isWaiting = false
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if !(event is IdleStateHandler.IdleStateEvent) {
            context.fireUserInboundEventTriggered(event)
        } else if isWaiting {
            context.close(promise: nil)
        } else {
            isWaiting = true
            let question = ByteBuffer(string: SilenceEnds.question)
            context.writeAndFlush(wrapOutboundOut(question), promise: nil)
        }
    }
}
