/// The limits of files in open formats that come from outside.
public enum FormatLimits {
    /// The length of the longest calendar file that is read, in bytes.
    public static let calendarBytesMax = 1024 * 1024
    /// The length of the longest contact file that is read, in bytes; most of it is the photo.
    public static let contactBytesMax = 8 * 1024 * 1024
    /// The length of the longest file with a track that is read, in bytes.
    public static let trackBytesMax = GPXTrack.bytesMax
    /// The largest number of points of a track that is read.
    public static let pointsCountMax = GPXTrack.pointsMax
    /// The largest number of lines of a calendar or contact file, before they are unfolded.
    public static let linesCountMax = 200_000
    /// The deepest nesting of the components of a calendar; known programs need three levels.
    public static let componentsDepthMax = 8
    /// The deepest nesting of a GeoJSON file; the format needs eight levels.
    public static let jsonDepthMax = 32
    /// The largest number of events that are read from one calendar.
    public static let eventsCountMax = 2_000
}
