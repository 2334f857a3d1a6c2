internal import GRDB
internal import GRDBSQLite
internal import Location

/// The SQL functions for locations, which every connection of a replica has.
enum LocationFunctions {
    /// Returns the distance in metres between two locations, each of two numbers in degrees; null
    /// if one of them is not on Earth.
    static let metres = "waggle_metres"
    /// Finds the rectangles of a ``NearIndex`` that overlap an area: `id MATCH
    /// waggle_area(latitude, longitude, metres)`. An area that is none finds nothing.
    static let area = "waggle_area"

    /// Adds the functions to a connection.
    static func add(to database: Database) throws {
        database.add(
            function: DatabaseFunction(metres, argumentCount: 4, pure: true) { values in
                let degrees = values.compactMap { Double.fromDatabaseValue($0) }
                guard degrees.count == 4,
                    let one = try? Point(latitude: degrees[0], longitude: degrees[1]),
                    let other = try? Point(latitude: degrees[2], longitude: degrees[3])
                else { return nil }
                return one.distanceMetres(to: other)
            })
        let code = unsafe sqlite3_rtree_geometry_callback(
            database.sqliteConnection, area,
            { query, count, coordinates, isMatch in
                guard let query = unsafe query, let coordinates = unsafe coordinates,
                    let isMatch = unsafe isMatch, count == 4,
                    let searched = unsafe SearchedArea.of(query)
                else { return SQLITE_ERROR }
                let rectangle = unsafe DegreeRectangle(
                    south: coordinates[0], north: coordinates[1], west: coordinates[2],
                    east: coordinates[3])
                unsafe isMatch.pointee = searched.overlaps(rectangle) ? 1 : 0
                return SQLITE_OK
            }, nil)
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
    }
}

/// The area of one query, which SQLite keeps with the query until its end.
private final class SearchedArea {
    private let rectangles: [DegreeRectangle]

    private init(latitude: Double, longitude: Double, radiusMetres: Double) {
        let centre = try? Point(latitude: latitude, longitude: longitude)
        rectangles =
            centre.flatMap { Area(around: $0, radiusMetres: radiusMetres) }?.rectangles ?? []
    }

    func overlaps(_ rectangle: DegreeRectangle) -> Bool {
        rectangles.contains { $0.overlaps(rectangle) }
    }

    /// Returns the area of a query, made at the first call; nil if the function was called with
    /// other than three arguments.
    static func of(_ query: UnsafeMutablePointer<sqlite3_rtree_geometry>) -> SearchedArea? {
        if let known = unsafe query.pointee.pUser {
            return unsafe Unmanaged<SearchedArea>.fromOpaque(known).takeUnretainedValue()
        }
        guard unsafe query.pointee.nParam == 3, let numbers = unsafe query.pointee.aParam else {
            return nil
        }
        let area = unsafe SearchedArea(
            latitude: numbers[0], longitude: numbers[1], radiusMetres: numbers[2])
        unsafe query.pointee.pUser = Unmanaged.passRetained(area).toOpaque()
        unsafe query.pointee.xDelUser = { area in
            if let area = unsafe area {
                unsafe Unmanaged<SearchedArea>.fromOpaque(area).release()
            }
        }
        return area
    }
}
