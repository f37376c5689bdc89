"""The base protocol and the life of the server: framing, errors of JSON-RPC 2.0, cancellation, exit codes (LSP 3.17)."""
import json
import random
import time
import unittest

from client import Client, LspTest, ServerError, place

MODEL = """model Small {
  host a
  host b
  link wire: a -- b { rate = 10 Mbps, delay = 5 ms }
  run { duration = 1 s }
}
"""


def framed(body):
    body = body.encode() if isinstance(body, str) else body
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class Protocol(LspTest):
    def bare(self):
        client = Client()
        self.addCleanup(lambda: (client.process.stdin.close(), client.process.stdout.close()))
        self.addCleanup(lambda: client.process.poll() is None and client.kill())
        return client

    def code(self, client, method, params=None):
        with self.assertRaises(ServerError) as raised:
            client.request(method, params)
        return raised.exception.code

    def test_requests_before_initialize_are_refused(self):
        client = self.bare()
        self.assertEqual(self.code(client, "textDocument/hover"), -32002)
        client.notify("textDocument/didOpen", {"textDocument": {"uri": "file:///x.anml", "text": "model"}})
        client.initialize()
        self.assertEqual(self.code(client, "initialize", {"capabilities": {}}), -32600)
        self.assertEqual(client.end(), 0)

    def test_exit_without_shutdown_is_a_failure(self):
        client = self.bare()
        client.initialize()
        client.notify("exit")
        self.assertEqual(client.process.wait(timeout=20), 1)

    def test_end_of_input_ends_the_server(self):
        client = self.bare()
        client.initialize()
        client.process.stdin.close()
        self.assertEqual(client.process.wait(timeout=20), 1)

    def test_requests_after_shutdown_are_refused(self):
        client = self.bare()
        client.initialize()
        client.request("shutdown")
        self.assertEqual(self.code(client, "textDocument/hover", {}), -32600)
        client.notify("exit")
        self.assertEqual(client.process.wait(timeout=20), 0)

    def test_unknown_methods_and_wrong_parameters(self):
        client = self.start()
        self.assertEqual(self.code(client, "textDocument/unheard"), -32601)
        self.assertEqual(self.code(client, "textDocument/hover", {}), -32602)
        self.assertEqual(self.code(client, "textDocument/hover", {"textDocument": {"uri": 1}, "position": []}), -32602)
        self.assertEqual(self.code(client, "textDocument/hover",
                                   {"textDocument": {"uri": "file:///nowhere.anml"}, "position": {"line": 0, "character": 0}}), -32602)
        client.notify("textDocument/unheard")  # a notification that nobody knows is left alone
        client.notify("$/unheard")
        self.assertEqual(client.end(), 0)

    def test_wrong_parameters_say_which_field(self):
        client = self.start()
        uri = self.write("a.anml", MODEL)
        client.open(uri, MODEL)
        here = {"textDocument": {"uri": uri}}
        for method, params, said in [("hover", here, "`position`"), ("completion", {**here, "position": {"line": 1}}, "`character`"),
                                     ("signatureHelp", {**here, "position": {"character": 1}}, "`line`"),
                                     ("hover", {**here, "position": []}, "`line`"),
                                     ("definition", {**here, "position": {"line": "1", "character": 1}}, "`line` is no number"),
                                     ("rangeFormatting", {**here, "range": {"start": {"line": 1, "character": 1}}}, "`end`"),
                                     ("rename", {**here, "position": place(MODEL, "wire")}, "`newName`"),
                                     ("hover", {"textDocument": {"uri": 1}}, "`uri` is no string")]:
            with self.subTest(method=method, said=said), self.assertRaises(ServerError) as raised:
                client.request(f"textDocument/{method}", params)
            self.assertIn(said, str(raised.exception))
            self.assertNotIn("json", str(raised.exception))
        client.notify("textDocument/didOpen", {"textDocument": {"uri": uri}})
        logged = client.until(lambda m: m.get("method") == "window/logMessage")
        self.assertIn("`text`", logged["params"]["message"])

    def test_half_a_surrogate_pair_is_no_reason_to_lose_a_text(self):
        client = self.start(encodings=("utf-16",))
        uri = self.write("a.anml", MODEL)
        text = "// \ud800 and \udc00, \ud83d\udea9, \\ud800 \ud83d\n" + MODEL + "\n// \ud83d"
        opened = {"textDocument": {"uri": uri, "languageId": "anml", "version": 1, "text": text}}
        client.versions[uri] = 1
        client.send_bytes(framed(json.dumps({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": opened})))
        self.assertEqual(client.checked(uri), [])
        found = client.at("hover", uri, {"line": 4, "character": 8})
        self.assertIn("link wire", found["contents"]["value"])
        # Positions in that line count as the client counts them: the last half is one unit.
        line = text.split("\n")[0]
        end = {"line": 0, "character": len(line.encode("utf-16-le", "surrogatepass")) // 2}
        client.change(uri, {"range": {"start": end, "end": {**end, "character": 99}}, "text": "\nhost"})
        self.assertEqual([d["range"]["start"] for d in client.checked(uri)], [{"line": 1, "character": 0}])

    def test_malformed_messages_get_the_errors_of_the_standard(self):
        client = self.start()
        for data, code in [(framed("{"), -32700), (framed('"text"'), -32600), (framed("[]"), -32600),
                           (framed('{"id": 7, "method": "shutdown"}'), -32600),
                           (framed('{"jsonrpc": "2.0", "id": 7, "method": 3}'), -32600),
                           (framed('{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}'), -32600),
                           (framed('{"jsonrpc": "2.0", "id": 7, "method": "shutdown", "params": 4}'), -32600),
                           (framed("[" * 100_000), -32700), (framed(b'{"jsonrpc": "\xff"}'), -32700),
                           (b"Content-Type: text\r\n\r\n", -32700), (b"Content-Length: many\r\n\r\n", -32700),
                           (b"Content-Length: -5\r\n\r\n", -32700), (b"nonsense\r\n\r\n", -32700),
                           (b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", -32700)]:
            with self.subTest(data=data[:60]):
                client.send_bytes(data)
                message = client.until(lambda m: "error" in m)
                self.assertEqual(message["error"]["code"], code)
        uri = self.write("a.anml", MODEL)
        client.open(uri, MODEL)
        self.assertEqual(client.checked(uri), [])
        self.assertEqual(client.end(), 0)

    def test_a_message_that_is_too_large_is_skipped(self):
        client = self.start()
        size = (64 << 20) + 1
        client.send_bytes(b"Content-Length: %d\r\n\r\n" % size)
        for _ in range(64):
            client.send_bytes(b" " * (1 << 20))
        client.send_bytes(b" ")
        self.assertEqual(client.until(lambda m: "error" in m)["error"]["code"], -32700)
        self.assertEqual(client.end(), 0)

    def test_a_header_without_an_end_ends_the_server(self):
        client = self.start()
        client.send_bytes(b"x" * 5000)
        self.assertEqual(client.until(lambda m: "error" in m)["error"]["code"], -32700)
        self.assertEqual(client.process.wait(timeout=20), 1)

    def test_messages_may_come_in_pieces_and_together(self):
        client = self.bare()
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})
        for byte in framed(body):
            client.send_bytes(bytes([byte]))
        self.assertIn("capabilities", client.answer(1))
        two = framed('{"jsonrpc":"2.0","id":2,"method":"a"}') + framed('{"jsonrpc":"2.0","id":3,"method":"b"}')
        client.send_bytes(two)
        self.assertEqual([client.next()["id"] for _ in range(2)], [2, 3])

    def test_cancelled_requests_are_not_served(self):
        client = self.start()
        uri = self.write("a.anml", MODEL)
        client.open(uri, MODEL)
        client.checked(uri)
        # In one piece, so that the second is there when the first is looked at.
        hover = {"jsonrpc": "2.0", "id": 90, "method": "textDocument/hover",
                 "params": {"textDocument": {"uri": uri}, "position": place(MODEL, "wire")}}
        cancel = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 90}}
        client.send_bytes(framed(json.dumps(hover)) + framed(json.dumps(cancel)))
        with self.assertRaises(ServerError) as raised:
            client.answer(90)
        self.assertEqual(raised.exception.code, -32800)
        client.notify("$/cancelRequest", {"id": 91})  # of one that nobody made
        client.notify("$/cancelRequest")
        self.assertEqual(client.end(), 0)

    def test_random_bytes_in_messages_do_no_harm(self):
        client = self.start()
        uri = self.write("a.anml", MODEL)
        client.open(uri, MODEL)
        random.seed(1)
        good = [json.dumps({"jsonrpc": "2.0", "id": 1000 + i, "method": method,
                            "params": {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 3},
                                       "range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}},
                                       "context": {}, "newName": "c", "query": "a", "positions": []}})
                for i, method in enumerate(["textDocument/hover", "textDocument/completion", "textDocument/rename",
                                            "textDocument/codeAction", "textDocument/inlayHint", "workspace/symbol",
                                            "textDocument/selectionRange", "callHierarchy/incomingCalls"])]
        for _ in range(400):
            text = bytearray(random.choice(good).encode())
            for _ in range(random.randrange(1, 6)):
                at = random.randrange(len(text))
                match random.randrange(3):
                    case 0:
                        text[at] = random.randrange(256)
                    case 1:
                        del text[at]
                    case 2:
                        text[at:at] = text[random.randrange(len(text)):][:random.randrange(20)]
            client.send_bytes(framed(bytes(text)))
        client.unread.clear()
        self.assertIsNotNone(client.at("hover", uri, place(MODEL, "wire")))
        self.assertEqual(client.end(), 0)

    def test_a_long_check_keeps_nobody_waiting(self):
        client = self.start()
        name = lambda i: f"value_number_{i}"
        line = lambda i: f"  let {name(i)} = {i} * 2 ms\n"
        small = "model M {\n" + line(0) + "  let other = value_number_0\n  run { duration = 1 s }\n}\n"
        uri = self.write("long.anml", small)
        client.open(uri, small)
        self.assertEqual(client.checked(uri), [])
        long = "model M {\n" + line(0) + "  let other = value_number_0\n" + "".join(map(line, range(1, 150_000))) + "  run { duration = 1 s }\n}\n"
        client.change(uri, {"text": long})
        where = {"textDocument": {"uri": uri}, "position": place(long, "value_number_0\n")}
        symbols = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        hover, completion = client.ask("textDocument/hover", where), client.ask("textDocument/completion", where)
        wait = lambda number: client.until(lambda m: m.get("id") in (symbols, hover, completion) and "method" not in m)
        first, second = wait(0), wait(0)
        self.assertEqual({first["id"], second["id"]}, {hover, completion})  # the symbols are of the new text
        said = first if first["id"] == hover else second
        self.assertIn("value_number_0", json.dumps(said["result"]))
        # A request of a text that is changed is given up, and the check of the new one comes.
        client.change(uri, {"text": small})
        with self.assertRaises(ServerError) as given_up:
            client.answer(symbols)
        self.assertEqual(given_up.exception.code, -32801)
        self.assertEqual(client.checked(uri), [])
        self.assertEqual(len(client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})[0]["children"]), 2)

    def test_who_looks_at_all_files_keeps_nobody_waiting(self):
        lines = "".join(f"  let value_number_{i} = {i} * 2 ms\n" for i in range(2000))
        part, large = "component Part {\n  host one\n}\n", "model Large {\n" + lines * 4 + "}\n"
        for i in range(12):
            self.write(f"model_{i}.anml", f"import part\nmodel Model_{i} {{\n  part.Part piece\n{lines}  run {{ duration = 1 s }}\n}}\n")
        client = self.start(folders=[self.folder])
        uri, of_large = self.write("part.anml", part), self.write("large.anml", large)
        for where, text in ((uri, part), (of_large, large)):
            client.open(where, text)
            client.checked(where)
        here = {"textDocument": {"uri": uri}, "position": place(part, "Part")}
        whole, options = {"textDocument": {"uri": of_large}}, {"tabSize": 2, "insertSpaces": True}
        item, = client.request("textDocument/prepareCallHierarchy", here)

        def ask(method, params):
            """Its id; a hover that is asked for behind it is answered before it."""
            slow, hover = client.last + 1, client.last + 2
            client.last = hover
            # In one piece, so that the second is there when the first is looked at.
            client.send_bytes(b"".join(framed(json.dumps({"jsonrpc": "2.0", "id": number, "method": name, "params": of}))
                                       for number, name, of in ((slow, method, params), (hover, "textDocument/hover", here))))
            first = client.until(lambda m: m.get("id") in (slow, hover) and "method" not in m)
            self.assertEqual(first["id"], hover, method)
            self.assertIn("Part", json.dumps(first["result"]))
            return slow

        def given_up(number):
            with self.assertRaises(ServerError) as raised:
                client.answer(number)
            return raised.exception.code

        slow = ask("textDocument/references", here)
        client.notify("$/cancelRequest", {"id": slow})
        self.assertEqual(given_up(slow), -32800)
        self.assertEqual(len(client.answer(ask("textDocument/references", {**here, "context": {"includeDeclaration": True}}))), 13)
        self.assertEqual(len(client.answer(ask("textDocument/rename", {**here, "newName": "Piece"}))["changes"]), 13)
        self.assertEqual(len(client.answer(ask("callHierarchy/incomingCalls", {"item": item}))), 12)
        for method, params in (("documentSymbol", {}), ("semanticTokens/full", {}), ("formatting", {"options": options})):
            self.assertIsNotNone(client.answer(ask(f"textDocument/{method}", {**whole, **params})), method)
        self.assertEqual(len(client.answer(ask("workspace/symbol", {"query": "model_"}))), 12)
        # What was found in files that are not open is kept until they change, or go.
        self.write("model_0.anml", "model Other_model_ { }\n")
        (self.folder / "model_1.anml").unlink()
        for _ in range(2):
            found = client.request("workspace/symbol", {"query": "model_"})
            self.assertEqual({s["name"] for s in found}, {"Other_model_", *(f"Model_{i}" for i in range(2, 12))})
        # More at once than work beside each other.
        many = [client.ask("textDocument/references", here) for _ in range(6)]
        self.assertEqual([len(client.answer(number)) for number in many], [11] * 6)
        # A renaming is of all texts as they were.
        slow = ask("textDocument/rename", {**here, "newName": "Piece"})
        client.change(of_large, {"text": "model Large { }\n"})
        self.assertEqual(given_up(slow), -32801)
        slow = ask("textDocument/references", here)
        client.change(uri, {"text": part + "\n"})
        self.assertEqual(given_up(slow), -32801)
        self.assertEqual(client.end(), 0)

    def test_many_unknown_names(self):
        client = self.start()
        text = "model M {\n" + "".join(f"  let value_of_number_{i} = {i}\n  let used_{i} = valeu_of_numbr_{i}\n" for i in range(2000)) + "  run { duration = 1 s }\n}\n"
        uri = self.write("unknown.anml", text)
        client.open(uri, text)
        begin = time.monotonic()
        self.assertIn("used_3", json.dumps(client.at("hover", uri, place(text, "used_3 "))))
        found = client.checked(uri)
        self.assertLess(time.monotonic() - begin, 10)  # it was 30
        self.assertEqual(len(found), 2000)
        self.assertTrue("there is" in found[0]["message"] and "there is" not in found[-1]["message"])


if __name__ == "__main__":
    unittest.main()
