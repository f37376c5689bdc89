"""The section of docs/validation.md about formulas: what they say, and what comes out with its interval of 95 %."""
import theory


def missing(context):
    return None


def make(context):
    seeds = context.seeds or (3 if context.quick else 5)
    cases = theory.cases(context.quick)
    found = theory.measure(context.anmlc, [case.model for case in cases], seeds, context.jobs)
    rows, good, within = [], True, 0
    for case in cases:
        mean, half = theory.interval([case.read(results) for results in found[case.model]])
        # An interval that is wide says nothing: it counts up to three times the limit.
        allowed = max(case.limit * case.formula, min(half, 3 * case.limit * case.formula))
        far = abs(mean - case.formula) > allowed
        good, within = good and not far, within + (not far)
        ratio = f"{mean / case.formula:.3f}"
        rows.append([case.group, case.name, case.source, f"{case.formula:.4g} {case.unit}", f"{mean:.4g} ± {half:.2g}", f"**{ratio}**" if far else ratio, f"{case.limit:.1%}"])
        print("| " + " | ".join(rows[-1]) + " |", flush=True)
    titles = ["", "case", "formula", "says", f"{seeds} runs", "ratio", "limit"]
    text = [context.circumstances(), "", f"{within} of {len(cases)} cases are within the limits.", "",
            "| " + " | ".join(titles) + " |", "|" + " --- |" * len(titles), *("| " + " | ".join(cells) + " |" for cells in rows)]
    return "\n".join(text), good
