"""Work in parallel: results come in the order of their items, and no more is begun than is wanted."""

import time
from concurrent.futures import Future

from tamaya.arena.batches import in_flight, in_order


def done(result):
    """Work that is finished."""
    future = Future()
    future.set_result(result)
    return future


def test_results_come_in_the_order_of_their_items_and_few_items_are_drawn_ahead():
    drawn = []

    def items():
        for number in range(50):
            drawn.append(number)
            yield number

    def work(number):
        time.sleep(0.002 * (number % 3 == 0))
        return number

    for number, result in enumerate(in_order(work, items(), threads=2)):
        assert result == number
        assert len(drawn) <= number + 2 * 2 + 1
    assert len(drawn) == 50


def test_what_waits_is_cancelled_when_no_more_results_are_wanted():
    futures = [done(0), *(Future() for _ in range(9))]
    results = in_flight(futures.__getitem__, range(10), 4)
    assert next(results) == 0
    results.close()
    assert [future.cancelled() for future in futures] == [False, True, True, True, *[False] * 6]


def test_an_item_may_depend_on_the_results_before_it():
    found = []
    for result in in_flight(done, (sum(found) + 1 for _ in range(5)), 1):
        found.append(result)
    assert found == [1, 2, 4, 8, 16]
