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
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
            { context, count, values in
                guard let values = unsafe values, count == 4,
                    let one = unsafe Point(values[0], values[1]),
                    let other = unsafe Point(values[2], values[3])
                else { return unsafe sqlite3_result_null(context) }
                unsafe sqlite3_result_double(context, one.distanceMetres(to: other))
            }, nil, nil, nil)
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

extension Point {
    /// Reads two degrees of SQL; nil if they are not two numbers or not on Earth.
    fileprivate init?(_ latitude: OpaquePointer?, _ longitude: OpaquePointer?) {
        func degrees(_ value: OpaquePointer?) -> Double? {
            let type = unsafe sqlite3_value_type(value)
            guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { return nil }
            return unsafe sqlite3_value_double(value)
        }
        guard let north = unsafe degrees(latitude), let east = unsafe degrees(longitude),
            let point = try? Point(latitude: north, longitude: east)
        else { return nil }
        self = point
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
