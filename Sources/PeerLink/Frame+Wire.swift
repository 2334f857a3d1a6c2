import Links
import NIOCore

extension Frame {
    /// Appends the frame as it goes over the wire; its length was checked before.
    func write(to buffer: inout ByteBuffer) {
        buffer.writeInteger(UInt32(truncatingIfNeeded: lengthBytes))
        buffer.writeInteger(type)
        buffer.writeBytes(payload)
    }
}
