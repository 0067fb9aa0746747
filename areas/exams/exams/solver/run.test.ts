import { expect, test } from 'vitest'
import { evaluatePlacement } from './evaluate.rules.ts'
import { madeProblem } from './made.rules.ts'
import type { SolveProgress } from './problem.contract.ts'
import { startSolver } from './run.server.ts'
import type { Snapshot } from './run.server.ts'

const made = madeProblem(3, { exams: 60, slots: 15, halls: 6, students: 200, each: 4, rules: true })

/** Resolves when the run has told of a plan. */
function started(options: Parameters<typeof startSolver>[1]) {
  let tell: (progress: SolveProgress) => void
  const first = new Promise<SolveProgress>((resolve) => (tell = resolve))
  const run = startSolver(made, options, (progress) => tell(progress))
  return first.then((progress) => ({ run, progress }))
}

test('a run in a thread is watched, stopped with its best plan, and gone on with from what was stored', async () => {
  const { run, progress } = await started({ seconds: 600, seed: 1 })
  expect(progress.cost.parts.spread).toBeGreaterThan(0)
  const kept = JSON.parse(JSON.stringify(run.snapshot())) as Snapshot
  expect(evaluatePlacement(made, kept.from).total).toBe(progress.cost.total)
  run.stop()
  const solution = (await run.result)!
  expect(solution.cost.broken.clashes).toBe(0)
  expect(evaluatePlacement(made, solution.placements, solution.duties)).toEqual(solution.cost)

  const again = await started({ ...kept, iterations: 50_000, seed: 2 })
  expect(again.progress.cost.total).toBeLessThanOrEqual(progress.cost.total)
  expect((await again.run.result)!.cost.brokenCount).toBeLessThanOrEqual(progress.cost.brokenCount)
})

test('a cancelled run ends with nothing', async () => {
  const { run } = await started({ seconds: 600 })
  run.cancel()
  expect(await run.result).toBeUndefined()
})
