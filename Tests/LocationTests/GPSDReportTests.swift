import Location
import Testing

@testable import GPSD

/// Tests the decoding of gpsd's lines and of other text.
struct GPSDReportTests {
    private func report(_ line: String) throws(LocationFault) -> GPSDReport {
        try GPSDReport(line: Array(line.utf8))
    }

    @Test func `a position has only the values that the receiver knew`() throws {
        let point = try Point(latitude: 37.5665, longitude: 126.978)
        #expect(
            try report(
                #"{"class":"TPV","mode":3,"time":"2026-05-01T09:00:00.000Z","lat":37.5665,"#
                    + #""lon":126.978,"eph":4.5}"#)
                == .position(
                    Fix(
                        point: point, accuracyMetres: 4.5,
                        at: Timestamp(milliseconds: 1_777_626_000_000))))
        #expect(
            try report(#"{"class":"TPV","mode":2,"lat":37.5665,"lon":126.978,"epx":3,"epy":8}"#)
                == .position(Fix(point: point, accuracyMetres: 8)))
    }

    @Test(arguments: [
        #"{"class":"TPV","mode":1}"#, #"{"class":"TPV"}"#, #"{"class":"TPV","mode":3,"lat":1}"#,
        #"{"class":"TPV","mode":3,"lat":91,"lon":0}"#, #"{"class":"TPV","mode":0,"lat":1,"lon":1}"#,
    ])
    func `a report without a location has no location instead of zero`(line: String) throws {
        #expect(try report(line) == .position(nil))
    }

    @Test func `a time of old versions is seconds since 1970`() throws {
        let said = try report(#"{"class":"TPV","mode":2,"lat":1,"lon":2,"time":12.5}"#)
        guard case .position(let fix?) = said else { throw LocationFault.lost }
        #expect(fix.at == Timestamp(milliseconds: 12_500))
    }

    @Test func `other classes are ignored`() throws {
        #expect(try report(#"{"class":"SKY","satellites":[]}"#) == .other)
        #expect(try report(#"{"class":"VERSION","proto_major":3,"rev":"x"}"#) == .version(major: 3))
    }

    @Test(arguments: ["", "HTTP/1.1 400 Bad Request", "{}", "[]", #"{"class":5}"#, "{\"class\":"])
    func `text that is not a report is recognised as such`(line: String) throws {
        #expect(try report(line) == .garbled)
    }

    @Test(
        arguments: [
            (#""2016-12-31T23:59:60.000Z""#, Timestamp(milliseconds: 1_483_228_800_000)),
            (#""soon""#, nil), ("1e300", nil), ("-1", nil),
            ("140737488355.327", Timestamp.max), ("140737488355.328", nil),
        ] as [(String, Timestamp?)])
    func `a leap second is the second after it, and a malformed time is absent`(
        time: String, at: Timestamp?
    ) throws {
        let line = #"{"class":"TPV","mode":3,"lat":1,"lon":2,"time":\#(time)}"#
        guard case .position(let fix?) = try report(line) else { throw LocationFault.lost }
        #expect(fix.at == at)
    }

    @Test func `a refusal of gpsd is reported`() {
        #expect(throws: LocationFault.notUnderstood(reason: "Unrecognized request")) {
            try report(#"{"class":"ERROR","message":"Unrecognized request"}"#)
        }
    }
}
