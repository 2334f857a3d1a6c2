import ControlAPI
import ControlClient
import Foundation
import PluginKit
import Testing

@testable import Daemon

struct LocalAPICommandTests {
    private func fault(
        _ operation: () async throws(CommandFault) -> JSONValue
    ) async -> CommandFault? {
        do {
            _ = try await operation()
            return nil
        } catch {
            return error
        }
    }

    @Test func `an action and a query are performed and answered`() async throws {
        try await LocalAPIFixture().serving { client in
            let name = try Arguments(checking: ["name": "산책", "age": 3], against: FakeService.add)
            let dog = try await client.perform(FakeService.add, name)
            #expect(dog == ["name": "산책", "age": 3])
            let query = try Arguments(
                checking: ["limit": 5, "tags": ["a&b", "c d"]], against: FakeService.list)
            let answer = try await client.perform(FakeService.list, query)
            #expect(answer == ["limit": 5, "tags": ["a&b", "c d"]])
        }
    }

    private struct ListDogs: CommandRequest {
        var limit: Int?
        static let help = ["limit": "How many."]
    }

    private struct Dogs: Codable, Sendable { var limit: Int }

    @Test func `a window calls commands by their contracts and receives refusals`() async throws {
        let list = Command<ListDogs, Dogs>(.query, "dog", "list", help: "List dogs.")
        try await LocalAPIFixture().serving { client in
            let dogs = try await client.call(list, ListDogs(limit: 7))
            #expect(dogs.limit == 7)
            try await client.addDog("Rex")
            let refusal = await #expect(throws: NodeRefusal.self) {
                try await client.addDog(String(repeating: "x", count: 16))
            }
            #expect(refusal?.field == "name")
            #expect(refusal?.code == "usage")
        }
    }

    @Test(arguments: [
        "failed", "usage", "notFound", "refused", "timedOut", "conflict",
    ])
    func `a fault keeps its kind in transit`(code: String) async throws {
        try await LocalAPIFixture().serving { client in
            let told = try Arguments(checking: ["code": .string(code)], against: FakeService.fail)
            let fault = await fault { () throws(CommandFault) in
                try await client.perform(FakeService.fail, told)
            }
            #expect(fault == CommandFault(code: code, sentence: "as told"))
        }
    }

    @Test func `an error of any kind is reported as a failure`() async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { _ in
            let answer = await fixture.request("POST", "/v1/dog/fail", #"{"code":"other"}"#)
            #expect(answer.hasPrefix("HTTP/1.1 500"))
            #expect(answer.contains(#""code":"failed""#))
        }
    }

    @Test func `a field with a wrong value is named`() async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { _ in
            let long = await fixture.request(
                "POST", "/v1/dog/add", #"{"name":"sixteen letters!"}"#)
            #expect(long.hasPrefix("HTTP/1.1 400"))
            #expect(long.contains(#""field":"name""#))
            let missing = await fixture.request("POST", "/v1/dog/add", "{}")
            #expect(missing.contains(#""field":"name""#))
            let text = await fixture.request("GET", "/v1/dog/list?limit=many")
            #expect(text.contains(#""field":"limit""#))
        }
    }

    @Test func `invalid JSON is answered with the position of the error`() async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { _ in
            let answer = await fixture.request("POST", "/v1/dog/add", "{\"name\": \"Rex\",}")
            #expect(answer.hasPrefix("HTTP/1.1 400"))
            #expect(answer.contains("line 1, column 16"))
            let list = await fixture.request("POST", "/v1/dog/add", "[1]")
            #expect(list.contains("must be a JSON object"))
        }
    }

    @Test(arguments: ["application/json", "application/json; charset=utf-8", "Application/JSON"])
    func `a body declared as JSON is read`(type: String) async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { _ in
            let answer = await fixture.request(
                "POST", "/v1/dog/add", #"{"name":"Rex"}"#, type: type)
            #expect(answer.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])
    func `a body declared as anything else is answered with 415`(type: String) async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { _ in
            let answer = await fixture.request(
                "POST", "/v1/dog/add", #"{"name":"Rex"}"#, type: type)
            #expect(answer.hasPrefix("HTTP/1.1 415"))
            #expect(answer.contains("Content-Type: application/json"))
        }
    }

    @Test func `an unknown path is answered with the existing ones`() async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { _ in
            let noun = await fixture.request("GET", "/v1/cat/list")
            #expect(noun.hasPrefix("HTTP/1.1 404"))
            #expect(noun.contains("the nouns are dog"))
            let verb = await fixture.request("GET", "/v1/dog/bark")
            #expect(verb.contains("'dog' has the verbs add, fail, list, wait"))
            for path in ["/v1/dog/list/", "/v1/dog//list", "//v1/dog/list", "/v1/dog/list//"] {
                let slash = await fixture.request("GET", path)
                #expect(slash.hasPrefix("HTTP/1.1 404"), "\(path)")
            }
            let nothing = await fixture.request("GET", "/")
            #expect(nothing.contains(#""code":"notFound""#))
        }
    }

    @Test(arguments: [
        ("GET", "/v1/dog/add?name=Rex", "POST"), ("DELETE", "/v1/dog/list", "GET"),
        ("POST", "/v1/dog/list", "GET"), ("PUT", "/v1/events", "GET"),
        ("TRACE", "/v1/openapi.json", "GET"),
    ])
    func `a wrong method is answered with 405 and the allowed one`(
        method: String, path: String, allowed: String
    ) async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { _ in
            let answer = await fixture.request(method, path)
            #expect(answer.hasPrefix("HTTP/1.1 405"))
            #expect(answer.lowercased().contains("\nallow: \(allowed.lowercased())\r\n"))
            #expect(answer.contains("takes \(allowed), not \(method)"))
        }
    }

    @Test func `a body at the limit is read, and one byte more is refused`() async throws {
        let fixture = try LocalAPIFixture()
        @Sendable func body(_ bytes: Int) -> String {
            let frame = #"{"name":"Rex"}"#
            return frame + String(repeating: " ", count: bytes - frame.utf8.count)
        }
        try await fixture.serving { client in
            let limit = APILimits.bodyBytesMax
            let fitting = await fixture.request("POST", "/v1/dog/add", body(limit))
            #expect(fitting.hasPrefix("HTTP/1.1 200"))
            let over = await fixture.request("POST", "/v1/dog/add", body(limit + 1))
            #expect(over.hasPrefix("HTTP/1.1 413"))
            #expect(over.contains("over \(limit) bytes"))
            try await client.addDog("Rex")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `an answer that does not come is abandoned and does not delay the shutdown`()
        async throws
    {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { _ in
            let client = ControlClient(
                socketPath: fixture.socketPath, timeout: .milliseconds(200))
            let nothing = try Arguments(checking: [:], against: FakeService.wait)
            let fault = await fault { () throws(CommandFault) in
                try await client.perform(FakeService.wait, nothing)
            }
            #expect(fault?.exitCode == 6)
            #expect(fault?.sentence.contains("within 0.2 s") == true)
            try await client.shutdown()
        }
    }

    @Test func `the description of the API is served`() async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { _ in
            let answer = await fixture.request("GET", "/v1/openapi.json")
            let head = try #require(answer.range(of: "\r\n\r\n"))
            let document = try JSONValue(parsing: answer[head.upperBound...].utf8)
            #expect(document["info"]?["version"]?.string == "1.2.3")
            #expect(document["paths"]?["/v1/dog/add"]?["post"] != nil)
        }
    }
}
