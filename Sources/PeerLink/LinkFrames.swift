public import Links
import NIOCore

/// The received frames of a link, in order, until the link ends; ``Link/closed`` has the reason.
///
/// A link has one reader: only one iterator may be made. When the iterator is released or its task
/// is cancelled, the link is closed as ``LinkFault/cancelled``. While the reader is slow, the
/// socket is not read, so that the sender waits.
public struct LinkFrames: AsyncSequence, Sendable {
    typealias Producer = NIOAsyncSequenceProducer<
        Frame, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, LinkReader
    >

    let producer: Producer
    let reader: LinkReader

    /// The only iterator of a link's frames.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let producer: Producer.AsyncIterator
        let reader: LinkReader

        /// Returns the next frame, or nil if the link has ended or the task was cancelled.
        @concurrent
        public mutating func next() async -> Frame? {
            if let frame = await producer.next() { return frame }
            // For a task that was cancelled before the first frame, the sequence does not call the
            // delegate.
            reader.didTerminate()
            return nil
        }
    }

    /// Creates the only iterator. A second one is a programming error and traps.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(producer: producer.makeAsyncIterator(), reader: reader)
    }
}

/// Forwards the reader's requests to the link's event loop.
struct LinkReader: NIOAsyncSequenceProducerDelegate {
    let eventLoop: any EventLoop
    let handler: NIOLoopBound<LinkHandler>

    func produceMore() {
        eventLoop.execute { handler.value.readerWantsMore() }
    }

    func didTerminate() {
        eventLoop.execute { handler.value.end(.cancelled) }
    }
}
