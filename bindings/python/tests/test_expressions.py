import unittest

import anml
from anml.expressions import code


class Expressions(unittest.TestCase):
    def test_quantities(self):
        self.assertEqual(code(4 * anml.ms), "4 ms")
        self.assertEqual(code(anml.Gbps * 2.5), "2.5 Gbps")
        self.assertEqual(code(5 * anml.percent), "5 %")
        self.assertEqual(code(1e6), "1000000")
        self.assertEqual(code(1e300), "1e300")
        self.assertEqual(code(-3), "-3")
        with self.assertRaises(ValueError):
            code(float("nan"))

    def test_precedence(self):
        d, n = anml.Expr("D"), anml.Expr("N")
        self.assertEqual(code(2 * (d + 1 * anml.ms)), "2 * (D + 1 ms)")
        self.assertEqual(code(d - (n - 1)), "D - (N - 1)")
        self.assertEqual(code(d - n - 1), "D - N - 1")
        self.assertEqual(code(d / (n * 2)), "D / (N * 2)")
        self.assertEqual(code(-(d + n)), "-(D + N)")
        self.assertEqual(code((d < 1 * anml.s) & ~(n == 2)), "D < 1 s && !(N == 2)")
        self.assertEqual(code(d * "x + y"), "D * (x + y)")
        self.assertEqual(code(n * anml.ms), "N * 1 ms")
        self.assertEqual(code(anml.when(n > 1, 2, 3) + 1), "(if N > 1 then 2 else 3) + 1")

    def test_values(self):
        self.assertEqual(code(True), "true")
        self.assertEqual(code(anml.text('a "b"\n')), '"a \\"b\\"\\n"')
        self.assertEqual(code([1, anml.call("web.fixed", 1 * anml.KB, path=anml.text("/x"))]),
                         '[1, web.fixed(1 KB, path = "/x")]')
        with self.assertRaises(ValueError):
            code("1 ms\nrouter r")
        with self.assertRaises(TypeError):
            code(object())
        with self.assertRaises(TypeError):
            bool(anml.Expr("a") == 1)


if __name__ == "__main__":
    unittest.main()
