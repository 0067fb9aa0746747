import { parentPort, workerData } from 'node:worker_threads'
import type { SolverAnswer, SolverTask } from './run.server.ts'
import { repair } from './repair.rules.ts'
import { solve } from './solve.rules.ts'

const {
  problem,
  options: { mustMove, ...options },
  flag,
} = workerData as SolverTask
const stopped = new Int32Array(flag)
const say = (answer: SolverAnswer) => parentPort!.postMessage(answer)

/** Looks for a plan from the first one on, and tells how far it is. */
function search() {
  let told = Infinity
  return solve(problem, {
    ...options,
    stop: () => Atomics.load(stopped, 0) === 1,
    onProgress: (progress, best) => {
      const { brokenCount, total } = progress.cost
      const rank = brokenCount * 1e12 + total
      // A plan is sent when it is better than the one sent last.
      say({ progress, ...(rank < told && { placements: best() }) })
      told = Math.min(told, rank)
    },
  })
}
const present = () => options.from ?? problem.exams.map(() => ({ slot: -1, halls: [] }))
say({ solution: mustMove ? repair(problem, present(), { ...options, mustMove }) : search() })
