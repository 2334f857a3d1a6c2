"""Measures what an open space costs a node in a simulated café."""

from open_towns import Town, growth

# The honest nodes of the cafés; the last one is the size that the goals are about.
SIZES = (10, 30, 100)


def neighbourhoods(bench) -> None:
    """an open space among 10, 30 and 100 people in a café"""
    towns = [Town(size, 0, 0) for size in SIZES]
    broken = [line for town in towns for line in town.broken]
    bench.report.check(f"every post reaches everybody {broken}", not broken)
    largest = towns[-1]
    bench.report.record("neighbourhood_reach_ms", largest.value("reach"))
    bench.report.record("neighbourhood_reads", largest.value("arrivals"))
    for name, found in growth(towns).items():
        bench.report.record_beside(f"{name} in a neighbourhood, exponent of the nodes", found)
    for town in towns:
        bench.report.record_beside(f"processor time of a node among {town.nodes}, ms",
                                   town.value("cpu") * 1000)
        bench.report.record_beside(f"bytes of a node among {town.nodes}, kB",
                                   town.value("bytes") / 1000)
