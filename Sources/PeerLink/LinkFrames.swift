public import Links
import NIOCore

/// The frames that arrive on a link, in order, until the link ends; ``Link/closed`` says why.
///
/// A link is read by one loop: only one iterator may be made. When that iterator is let go or its
/// task is cancelled, the link is closed as ``LinkFault/cancelled``. While its reader is slow the
/// socket is not read, so the sender on the other side waits.
public struct LinkFrames: AsyncSequence, Sendable {
    typealias Producer = NIOAsyncSequenceProducer<
        Frame, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, LinkReader
    >

    let producer: Producer
    let reader: LinkReader

    /// The one iterator of a link's frames.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let producer: Producer.AsyncIterator
        let reader: LinkReader

        /// The next frame, or nil when the link has ended or the task was cancelled.
        @concurrent
        public mutating func next() async -> Frame? {
            if let frame = await producer.next() { return frame }
            // A task that was cancelled before the first frame ends the sequence without a word.
            reader.didTerminate()
            return nil
        }
    }

    /// Makes the one iterator; a second one is a mistake in the program and traps.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(producer: producer.makeAsyncIterator(), reader: reader)
    }
}

/// Carries the reader's wishes to the link's event loop.
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
