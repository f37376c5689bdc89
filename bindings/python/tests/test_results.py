"""What Results says of a document, without a run."""
import unittest

from anml.results import Results

TIMES = {"median": 0.1, "p95": 0.4, "p99": None, "max": None, "at_least": {"median": None, "p95": None, "p99": 2.5, "max": None}}


class Percentiles(unittest.TestCase):
    def test_exact_at_least_or_unknown(self):
        results = Results({"response_time_seconds": TIMES})
        self.assertEqual(results.response_time_percentile("p95"), (0.4, True))
        self.assertEqual(results.response_time_percentile("p99"), (2.5, False))
        self.assertEqual(results.response_time_percentile("max"), (None, True))


if __name__ == "__main__":
    unittest.main()
