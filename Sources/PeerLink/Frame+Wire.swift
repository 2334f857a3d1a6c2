import Links
import NIOCore

extension Frame {
    /// Appends the frame's bytes on the wire. The length must have been checked before.
    func write(to buffer: inout ByteBuffer) {
        buffer.writeInteger(UInt32(truncatingIfNeeded: lengthBytes))
        buffer.writeInteger(type)
        buffer.writeBytes(payload)
    }
}
