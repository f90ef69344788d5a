"""Playing what an evaluation still lacks, one match after the other or several at a time."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from duelbook.agents import Agent, make_agent
from duelbook.agents.llm import BudgetSpentError, LlmAgent, ModelClient, read_exchanges
from duelbook.arena.evaluation import Maker, Plan, Task, play_task
from duelbook.arena.evaluation_files import Folder
from duelbook.arena.playing import Played
from duelbook.solve import try_solve

Results = Iterator[tuple[Task, Played]]


def run_evaluation(
    plan: Plan,
    folder: Folder,
    desk: ModelClient | None = None,
    parallel: int = 1,
    tell: Callable[[int], None] = lambda count: None,
) -> None:
    """Play every match of the plan that the folder does not hold yet, and keep each there; tell how many there are.

    A StoppedError is passed on after what was finished is kept: `run_evaluation` again goes on from there, and what
    models have replied in unfinished matches is not asked for again.
    """
    done = {match.task for match in folder.finished()}
    if desk:
        known = {task.key for task in done}
        desk.log.remember([found for found in read_exchanges(folder.exchanges) if found.match not in known])
    tasks = [task for task in plan.tasks() if task not in done]
    for task in tasks:
        try_solve(plan.opening(task))  # solved once, before several matches need it
    stop = desk.close if desk else lambda: None
    results = _side_by_side(plan, tasks, _maker(desk), parallel, stop)
    for count, (task, played) in enumerate(results, len(done) + 1):
        folder.add(task, played)
        tell(count)


def _maker(desk: ModelClient | None) -> Maker:
    """Answer what makes agents, models being seated at the desk."""

    def make_one(name: str, seed: str) -> Agent:
        agent = make_agent(name, seed)
        if desk and isinstance(agent, LlmAgent):
            agent.use_client(desk)
        return agent

    return make_one


def _side_by_side(
    plan: Plan, tasks: Sequence[Task], make_one: Maker, parallel: int, stop: Callable[[], None]
) -> Results:
    """Play so many matches at a time, and answer each when it is over.

    Once one is stopped no other is begun; those under way are finished or stopped, too, before that is raised.
    """
    if parallel == 1:  # in the main thread, where Ctrl-C is heard at once
        yield from ((task, play_task(plan, task, make_one)) for task in tasks)
        return
    waiting, error = list(reversed(tasks)), None
    running: dict[Future[Played], Task] = {}
    with ThreadPoolExecutor(parallel) as pool:
        try:
            while running or (waiting and not error):
                while waiting and len(running) < parallel and not error:
                    task = waiting.pop()
                    running[pool.submit(play_task, plan, task, make_one)] = task
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    task, error = running.pop(future), error or future.exception()
                    if future.exception() is None:
                        yield task, future.result()
                    elif not isinstance(error, BudgetSpentError):
                        stop()
        except BaseException:
            stop()
            raise
    if error:
        raise error
