internal import GRDB
internal import GRDBSQLite
internal import Location

/// The SQL functions for locations, which every connection of a replica has.
enum LocationFunctions {
    /// Returns the distance in metres between two locations, each of two numbers in degrees; null
    /// if one of them is not on Earth.
    static let metres = "waggle_metres"
    /// Finds the rectangles of a ``NearIndex`` that overlap an area: `id MATCH
    /// waggle_area(latitude, longitude, metres)`. An area that is none finds nothing. With a fourth
    /// number, rectangles that are surely nearer than so many metres are passed over.
    static let area = "waggle_area"

    /// Adds the functions to a connection.
    static func add(to database: Database) throws {
        try require(addMetres(to: database))
        try require(addArea(to: database))
    }

    private static func require(_ code: CInt) throws {
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
    }

    /// A list of what is near compares the distances of many rows. GRDB would copy the arguments
    /// into an array for each row; this C function does not.
    private static func addMetres(to database: Database) -> CInt {
        unsafe sqlite3_create_function_v2(
            database.sqliteConnection, metres, 4,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
            Unmanaged.passRetained(LastDistance()).toOpaque(),
            { context, count, values in
                guard let values = unsafe values, count == 4,
                    let last = unsafe sqlite3_user_data(context),
                    let degrees = unsafe Degrees(values),
                    let metres = unsafe Unmanaged<LastDistance>.fromOpaque(last)
                        .takeUnretainedValue().metres(degrees)
                else { return unsafe sqlite3_result_null(context) }
                unsafe sqlite3_result_double(context, metres)
            }, nil, nil,
            { last in
                if let last = unsafe last {
                    unsafe Unmanaged<LastDistance>.fromOpaque(last).release()
                }
            })
    }

    private static func addArea(to database: Database) -> CInt {
        unsafe sqlite3_rtree_geometry_callback(
            database.sqliteConnection, area,
            { query, count, coordinates, isMatch in
                guard let query = unsafe query, let coordinates = unsafe coordinates,
                    let isMatch = unsafe isMatch, count == 4,
                    let searched = unsafe SearchedArea.of(query)
                else { return SQLITE_ERROR }
                let rectangle = unsafe DegreeRectangle(
                    south: coordinates[0], north: coordinates[1], west: coordinates[2],
                    east: coordinates[3])
                unsafe isMatch.pointee = searched.isWanted(rectangle) ? 1 : 0
                return SQLITE_OK
            }, nil)
    }
}

/// Two pairs of degrees.
private struct Degrees: Equatable {
    let latitude: Double
    let longitude: Double
    let otherLatitude: Double
    let otherLongitude: Double

    /// Reads the four values of a call; nil if one of them is no number.
    init?(_ values: UnsafeMutablePointer<OpaquePointer?>) {
        func degrees(_ value: OpaquePointer?) -> Double? {
            let type = unsafe sqlite3_value_type(value)
            guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { return nil }
            return unsafe sqlite3_value_double(value)
        }
        guard let latitude = unsafe degrees(values[0]), let longitude = unsafe degrees(values[1]),
            let otherLatitude = unsafe degrees(values[2]),
            let otherLongitude = unsafe degrees(values[3])
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.otherLatitude = otherLatitude
        self.otherLongitude = otherLongitude
    }

    /// The distance between the two locations; nil if one of them is not on Earth.
    var metres: Double? {
        guard let one = try? Point(latitude: latitude, longitude: longitude),
            let other = try? Point(latitude: otherLatitude, longitude: otherLongitude)
        else { return nil }
        return one.distanceMetres(to: other)
    }
}

/// The last distance that a connection computed. A statement that compares the distance of a row,
/// sorts by it and returns it computes it once; so do consecutive rows of one location.
private final class LastDistance {
    private var last: (degrees: Degrees, metres: Double?)?

    func metres(_ degrees: Degrees) -> Double? {
        if let last, last.degrees == degrees { return last.metres }
        let metres = degrees.metres
        last = (degrees, metres)
        return metres
    }
}

/// The area of one query, which SQLite keeps with the query until its end.
private final class SearchedArea {
    private let rectangles: [DegreeRectangle]
    private let outer: Area?
    /// The part that is passed over; nil if there is none.
    private let inner: Area?

    private init(latitude: Double, longitude: Double, radiusMetres: Double, beyond: Double) {
        let centre = try? Point(latitude: latitude, longitude: longitude)
        outer = centre.flatMap { Area(around: $0, radiusMetres: radiusMetres) }
        rectangles = outer?.rectangles ?? []
        inner = beyond > 0 ? centre.flatMap { Area(around: $0, radiusMetres: beyond) } : nil
    }

    func isWanted(_ rectangle: DegreeRectangle) -> Bool {
        // The corners of the rectangles are not in the area; much may be in them.
        rectangles.contains { $0.overlaps(rectangle) } && outer?.surelyExcludes(rectangle) != true
            && inner?.surelyContains(rectangle) != true
    }

    /// Returns the area of a query, made at the first call; nil if the function was called with
    /// other than three or four arguments.
    static func of(_ query: UnsafeMutablePointer<sqlite3_rtree_geometry>) -> SearchedArea? {
        if let known = unsafe query.pointee.pUser {
            return unsafe Unmanaged<SearchedArea>.fromOpaque(known).takeUnretainedValue()
        }
        let count = unsafe query.pointee.nParam
        guard count == 3 || count == 4, let numbers = unsafe query.pointee.aParam else {
            return nil
        }
        let area = unsafe SearchedArea(
            latitude: numbers[0], longitude: numbers[1], radiusMetres: numbers[2],
            beyond: count == 4 ? numbers[3] : 0)
        unsafe query.pointee.pUser = Unmanaged.passRetained(area).toOpaque()
        unsafe query.pointee.xDelUser = { area in
            if let area = unsafe area {
                unsafe Unmanaged<SearchedArea>.fromOpaque(area).release()
            }
        }
        return area
    }
}
