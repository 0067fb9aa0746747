import { startRun, type ThreadRun } from '#kit/server/workers/run.ts'
import type { ExamProblem, ExamPlacement, Solution, SolveProgress } from './problem.contract.ts'
import type { SolveOptions } from './solve.rules.ts'

/** What a run can be told that lies in another thread. */
export type RunOptions = Pick<SolveOptions, 'seconds' | 'iterations' | 'seed' | 'from' | 'done'> & {
  /** The smallest change that makes `from` right is looked for instead: which exams must go to another slot. */
  readonly mustMove?: readonly number[]
}

/** What the thread is given. */
export interface SolverTask {
  readonly problem: ExamProblem
  readonly options: RunOptions
}

/** What the thread tells on its way: the best plan where there is a better one. */
export interface SolverTold {
  readonly progress: SolveProgress
  readonly placements?: readonly ExamPlacement[]
}

/** The best plan so far and how far the run is: kept as JSON, and given as `from` and `done`, the run goes on from it. */
export interface Snapshot {
  readonly from: readonly ExamPlacement[]
  readonly done: number
}

export interface SolverRun extends ThreadRun<Solution> {
  /** Undefined until the first plan stands. */
  snapshot: () => Snapshot | undefined
}

/** Solves in a thread of its own; `onProgress` hears of it about twice a second. */
export function startSolver(
  problem: ExamProblem,
  options: RunOptions,
  onProgress: (progress: SolveProgress) => void = () => {},
): SolverRun {
  const task: SolverTask = { problem, options }
  let best: readonly ExamPlacement[] | undefined
  let done = options.done ?? 0
  const run = startRun<SolverTold, Solution>(new URL('./solver.worker.ts', import.meta.url), task, (told) => {
    best = told.placements ?? best
    done = told.progress.fraction
    onProgress(told.progress)
  })
  return { ...run, snapshot: () => best && { from: best, done } }
}
