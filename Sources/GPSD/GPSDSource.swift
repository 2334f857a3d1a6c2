internal import Foundation
public import Location
internal import NIOCore
internal import NIOPosix

/// A GPS receiver, by the gpsd of this or another host.
public struct GPSDSource: LocationSource {
    /// Where gpsd listens where nobody says otherwise.
    public static let defaultHost = "127.0.0.1"
    public static let defaultPort = 2947
    /// After this long without a line gpsd counts as lost. With a receiver it reports once a
    /// second; without one it says nothing of itself, and is asked after half of this.
    static let silenceMax = Duration.seconds(30)
    /// How long a connection may take to be made, in seconds.
    static let connectSecondsMax: Int64 = 5

    private let host: String
    private let port: Int
    private let silenceMax: Duration

    /// Prepares to ask a gpsd.
    public init(host: String = GPSDSource.defaultHost, port: Int = GPSDSource.defaultPort) {
        self.init(host: host, port: port, silenceMax: GPSDSource.silenceMax)
    }

    /// Prepares to ask a gpsd that counts as lost after this long without a line.
    init(host: String, port: Int, silenceMax: Duration) {
        self.host = host
        self.port = port
        self.silenceMax = silenceMax
    }

    public func run(_ report: @Sendable (LocationReport) async -> Void) async throws {
        let lines = try await connect()
        do {
            try await follow(lines, report)
        } catch let fault as LocationFault {
            throw fault
        } catch {
            // Whatever the connection broke of, gpsd was there and is not any more.
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
                    let said = try GPSDReport(line: Array(line.readableBytesView))
                    isGreeted = try GPSDSource.isGreeted(isGreeted, by: said)
                    if case .position(let fix) = said {
                        await report(fix.map { .fix($0) } ?? .searching)
                    }
                }
            } catch is EndlessLine {
                guard !isGreeted else { throw LocationFault.lost }
                throw LocationFault.notUnderstood(reason: "a line without an end")
            }
        }
    }

    /// Whether gpsd has said who it is, after this. Of a gpsd a broken line is passed over, as
    /// when its device is pulled out; what breaks off before any greeting is something else.
    private static func isGreeted(
        _ isGreeted: Bool, by said: GPSDReport
    ) throws(LocationFault) -> Bool {
        switch said {
        case .version(GPSDReport.versionMajor): true
        case .version(let major):
            throw .notUnderstood(reason: "version \(major) of its language")
        case .garbled where !isGreeted: throw .notUnderstood(reason: "a line that is no report")
        case .garbled, .position, .other: isGreeted
        }
    }

    private func connect() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        let quietMax = TimeAmount(silenceMax / 2)
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(.seconds(GPSDSource.connectSecondsMax))
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
            throw LocationFault.unreachable(address: "\(host):\(port)", reason: "\(error)")
        }
    }
}

/// More came than a line of gpsd's may have.
private struct EndlessLine: Error {}

/// Cuts what arrives into lines, none longer than gpsd's may be.
private struct LineDecoder: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    /// How many bytes of the line that is being gathered were looked at, and end none.
    private var soughtBytes = 0

    mutating func decode(
        context: ChannelHandlerContext, buffer: inout ByteBuffer
    ) throws -> DecodingState {
        let unsought = buffer.readableBytesView.dropFirst(soughtBytes)
        guard let end = unsought.firstIndex(of: UInt8(ascii: "\n")) else {
            soughtBytes = buffer.readableBytes
            guard buffer.readableBytes <= GPSDReport.lineBytesMax else {
                throw EndlessLine()
            }
            return .needMoreData
        }
        soughtBytes = 0
        if let line = buffer.readSlice(length: end - buffer.readerIndex), line.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(line))
        }
        buffer.moveReaderIndex(forwardBy: 1)
        return .continue
    }
}

/// Asks whether gpsd is still there when it was quiet, and ends the connection when it was quiet
/// as long again.
private final class SilenceEnds: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Answered also by a gpsd that has no device, with an empty list, and without effect on it.
    private static let question = "?DEVICES;\n"

    /// Whether no line came since the question.
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
