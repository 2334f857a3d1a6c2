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

    @Test func `an action and a query go there and back`() async throws {
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

    @Test func `a window gets and posts`() async throws {
        struct Dogs: Decodable, Sendable { let limit: Int }
        try await LocalAPIFixture().serving { client in
            let dogs = try await client.get("dog/list", query: ["limit": "7"], as: Dogs.self)
            #expect(dogs.limit == 7)
            try await client.post("dog/add", ["name": "Rex"])
            let refusal = await #expect(throws: NodeRefusal.self) {
                try await client.post("dog/add", ["name": String(repeating: "x", count: 16)])
            }
            #expect(refusal?.field == "name")
            #expect(refusal?.code == "usage")
        }
    }

    @Test(arguments: [
        "failed", "usage", "notFound", "refused", "timedOut", "conflict",
    ])
    func `a fault keeps its kind on the way`(code: String) async throws {
        try await LocalAPIFixture().serving { client in
            let told = try Arguments(checking: ["code": .string(code)], against: FakeService.fail)
            let fault = await fault { () throws(CommandFault) in
                try await client.perform(FakeService.fail, told)
            }
            #expect(fault == CommandFault(code: code, sentence: "as told"))
        }
    }

    @Test func `an error of any kind is told as a failure`() async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { _ in
            let answer = await fixture.request("POST", "/v1/dog/fail", #"{"code":"other"}"#)
            #expect(answer.hasPrefix("HTTP/1.1 500"))
            #expect(answer.contains(#""code":"failed""#))
        }
    }

    @Test func `a field that is wrong is named`() async throws {
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

    @Test func `bad JSON is answered with its place`() async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { _ in
            let answer = await fixture.request("POST", "/v1/dog/add", "{\"name\": \"Rex\",}")
            #expect(answer.hasPrefix("HTTP/1.1 400"))
            #expect(answer.contains("line 1, column 16"))
            let list = await fixture.request("POST", "/v1/dog/add", "[1]")
            #expect(list.contains("must be a JSON object"))
        }
    }

    @Test func `the type of the content and a last slash do not matter`() async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { _ in
            for type in ["application/json", "application/x-www-form-urlencoded", ""] {
                let answer = await fixture.request(
                    "POST", "/v1/dog/add/", #"{"name":"Rex"}"#, type: type)
                #expect(answer.hasPrefix("HTTP/1.1 200"))
            }
            let query = await fixture.request("POST", "/v1/dog/list", #"{"limit":2}"#)
            #expect(query.contains(#"{"limit":2}"#))
        }
    }

    @Test func `a path that names nothing is answered with what there is`() async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { _ in
            let noun = await fixture.request("GET", "/v1/cat/list")
            #expect(noun.hasPrefix("HTTP/1.1 404"))
            #expect(noun.contains("the nouns are dog"))
            let verb = await fixture.request("GET", "/v1/dog/bark")
            #expect(verb.contains("'dog' knows add, fail, list, wait"))
            let nothing = await fixture.request("GET", "/")
            #expect(nothing.contains(#""code":"notFound""#))
        }
    }

    @Test func `an action is not done by GET`() async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { _ in
            let answer = await fixture.request("GET", "/v1/dog/add?name=Rex")
            #expect(answer.hasPrefix("HTTP/1.1 400"))
            #expect(answer.contains("use POST"))
            let deleted = await fixture.request("DELETE", "/v1/dog/list")
            #expect(deleted.contains("takes GET, not DELETE"))
        }
    }

    @Test func `a body at the limit is read, one byte more is refused`() async throws {
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
            #expect(over.hasPrefix("HTTP/1.1 400"))
            #expect(over.contains("over \(limit) bytes"))
            try await client.post("dog/add", ["name": "Rex"])
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `an answer that does not come is given up, and does not hold the shutdown up`()
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
        try await LocalAPIFixture().serving { client in
            let document = try await client.get("openapi.json", as: JSONValue.self)
            #expect(document["info"]?["version"]?.string == "1.2.3")
            #expect(document["paths"]?["/v1/dog/add"]?["post"] != nil)
        }
    }
}
