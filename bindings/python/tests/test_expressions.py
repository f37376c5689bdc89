import itertools
import math
import operator
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

    def test_each_pair_of_operators(self):
        """Whatever is made of two operators is worth what Python makes of it, and so is ANML's own text."""
        def remainder(x, y):  # has the sign of what is divided
            return x % y if isinstance(x, anml.Expr) or isinstance(y, anml.Expr) else math.fmod(x, y)

        binary = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "%": remainder}
        unary = {"-": operator.neg}
        compare = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne}
        logic = {"&&": operator.and_, "||": operator.or_}
        lets = {"a": 7, "b": 5, "c": 3}
        a, b, c = (anml.Expr(name) for name in lets)
        cases = []
        for f, g in itertools.product(binary.values(), repeat=2):
            cases += [(f(g(a, b), c), f(g(7, 5), 3)), (f(a, g(b, c)), f(7, g(5, 3))), (f(anml.expr("5"), -3), f(5, -3)), (g(f(2, a), -1.5), g(f(2, 7), -1.5))]
            cases += [(f(-a, g(b, -c)), f(-7, g(5, -3))), (-f(a, -b), -f(7, -5)), (f(f(a, "b + c"), g(b, c)), f(f(7, 8), g(5, 3)))]
        for f, g in itertools.product(unary.values(), repeat=2):
            cases += [(f(g(a)), f(g(7))), (f(g(f(a))), f(g(f(7)))), (f(anml.expressions.as_expr(-3)), f(-3))]
        for f, g in itertools.product(compare.values(), logic.values()):
            for h in (*binary.values(), *compare.values()):
                truth = h in compare.values()
                left, right = (h(a, c), h(7, 3)) if truth else (f(h(a, c), b), f(h(7, 3), 5))
                cases += [(g(left, ~f(b, c)), g(right, not f(5, 3))), (~g(f(a, b), left), not g(f(7, 5), right)), (g(True, f(a, b)), g(True, f(7, 5)))]
        for f, g, h in itertools.product(logic.values(), repeat=3):
            for p, q, r in itertools.product((True, False), repeat=3):
                x, y, z = (anml.expressions.as_expr(v) for v in (p, q, r))
                cases += [(f(x, g(y, h(z, x))), f(p, g(q, h(r, p)))), (f(g(x, ~~y), z), f(g(p, q), r))]
        cases = [(found, expected) for found, expected in cases if abs(expected) < 1e6]
        model = anml.Model("M")
        for name, value in lets.items():
            model.let(name, value)
        for found, expected in cases:
            model.require(found if expected is True else ~found if expected is False else (found > expected - 1e-9) & (found < expected + 1e-9), code(found))
        for found, seconds in ((-(-4 * anml.ms), 0.004), (1 * anml.s / anml.ms * anml.s, 1000), (anml.s - -(2 * anml.s), 3),
                               (-(5 * anml.percent) * anml.s, -0.05), (5 * anml.percent - a * "1" + 7, 0.05)):
            unit = anml.s if "s" in code(found) else 1
            model.require((found > (seconds - 1e-9) * unit) & (found < (seconds + 1e-9) * unit), code(found))
        model.host("h")
        model.run(1 * anml.s)
        model.check()

    def test_own_text_beside_operators(self):
        a = anml.Expr("a")
        self.assertEqual(code("x + y" * anml.ms), "(x + y) * 1 ms")
        self.assertEqual(code(anml.plus_minus("2 ms", "a - b")), "(2 ms) ± (a - b)")
        self.assertEqual(code(anml.s / a), "1 s / a")
        self.assertEqual(code(-anml.ms), "-1 ms")


if __name__ == "__main__":
    unittest.main()
