import { Worker } from 'node:worker_threads'
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
  readonly flag: SharedArrayBuffer
}

/** What the thread says. */
export type SolverAnswer =
  | { readonly progress: SolveProgress; readonly placements?: readonly ExamPlacement[] }
  | { readonly solution: Solution }

/** The best plan so far and how far the run is: kept as JSON, and given as `from` and `done`, the run goes on from it. */
export interface Snapshot {
  readonly from: readonly ExamPlacement[]
  readonly done: number
}

export interface SolverRun {
  /** The best plan; undefined when the run was cancelled. Rejects when the thread dies. */
  readonly result: Promise<Solution | undefined>
  /** Undefined until the first plan stands. */
  snapshot: () => Snapshot | undefined
  /** Ends the run with the best plan so far. */
  stop: () => void
  /** Ends the run with nothing. */
  cancel: () => void
}

/** Solves in a thread of its own; `onProgress` hears of it about twice a second. */
export function startSolver(
  problem: ExamProblem,
  options: RunOptions,
  onProgress: (progress: SolveProgress) => void = () => {},
): SolverRun {
  const flag = new SharedArrayBuffer(4)
  const task: SolverTask = { problem, options, flag }
  const worker = new Worker(new URL('./solver.worker.ts', import.meta.url), {
    workerData: task,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 32 },
  })
  let best: readonly ExamPlacement[] | undefined
  let done = options.done ?? 0
  let isCancelled = false
  const result = new Promise<Solution | undefined>((resolve, reject) => {
    worker.on('message', (answer: SolverAnswer) => {
      if (isCancelled) return
      if ('solution' in answer) {
        best = answer.solution.placements
        done = 1
        resolve(answer.solution)
        return
      }
      best = answer.placements ?? best
      done = answer.progress.fraction
      onProgress(answer.progress)
    })
    worker.on('error', reject)
    worker.on('exit', (code) => {
      if (isCancelled) resolve(undefined)
      else reject(new Error(`the solver's thread ended with ${code}`))
    })
  })
  return {
    result,
    snapshot: () => best && { from: best, done },
    stop: () => void Atomics.store(new Int32Array(flag), 0, 1),
    cancel: () => {
      isCancelled = true
      void worker.terminate()
    },
  }
}
