import { parentPort, workerData } from 'node:worker_threads'
import type { SolverAnswer, SolverTask } from './run.server.ts'
import { solve } from './solve.rules.ts'

const { problem, options, flag } = workerData as SolverTask
const stopped = new Int32Array(flag)
const say = (answer: SolverAnswer) => parentPort!.postMessage(answer)

let told = Infinity
const solution = solve(problem, {
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
say({ solution })
