import { serveRun } from '#kit/server/workers/run.ts'
import type { SolverTask, SolverTold } from './run.server.ts'
import { repair } from './repair.rules.ts'
import type { Solution } from './problem.contract.ts'
import { solve } from './solve.rules.ts'

serveRun<SolverTask, SolverTold, Solution>(({ problem, options: { mustMove, ...options } }, tell, stop) => {
  if (mustMove) {
    const present = options.from ?? problem.exams.map(() => ({ slot: -1, halls: [] }))
    return repair(problem, present, { ...options, mustMove })
  }
  let told = Infinity
  return solve(problem, {
    ...options,
    stop,
    onProgress: (progress, best) => {
      const { brokenCount, total } = progress.cost
      const rank = brokenCount * 1e12 + total
      // A plan is sent when it is better than the one sent last.
      tell({ progress, ...(rank < told && { placements: best() }) })
      told = Math.min(told, rank)
    },
  })
})
