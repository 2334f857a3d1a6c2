/// The reason a picture is not read. The number is its byte in the answer of a worker.
public enum PhotoRefusal: UInt8, Error, CaseIterable, Sendable {
    /// It has over ``PhotoLimits/inputBytesMax`` bytes.
    case tooLong = 1
    /// It is neither a JPEG nor a PNG by its first bytes.
    case unknownFormat = 2
    /// It has over ``PhotoLimits/pixelsMax`` pixels by its header.
    case tooManyPixels = 3
    /// Its structure is broken, it is incomplete, or the decoder refuses it.
    case damaged = 4
    /// Decoding needs more memory than a worker has.
    case tooCostly = 5
    /// The worker could not give up its rights, so it reads nothing.
    case unfenced = 6
}
