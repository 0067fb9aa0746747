/**
 * `npm run exam-solver -- toronto|itc2007 INSTANCE --seconds N --out FILE`: solves an examination instance of a public
 * format, prints what the plan costs and writes it as the checkers of the format read it. INSTANCE is the path without
 * ending for toronto (`.exm`, `.stu` and `.slo` lie beside each other), the `.exam` file for itc2007.
 *
 *   --seed N        another run (default 1)
 *   --threads N     so many runs beside each other, of which the best is taken (default: one for each core)
 *   --iterations N  so many proposals instead of a time, in one thread: the same every time
 */
import { readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import { parseArgs } from 'node:util'
import {
  FormatError,
  readItc2007,
  readToronto,
  writeItc2007,
  writeToronto,
} from '#areas/exams/exams/solver/formats.rules.ts'
import type { ExamProblem, Solution } from '#areas/exams/exams/solver/problem.contract.ts'
import { startSolver } from '#areas/exams/exams/solver/run.server.ts'
import { solve } from '#areas/exams/exams/solver/solve.rules.ts'

const USAGE = 'usage: npm run exam-solver -- toronto|itc2007 INSTANCE --seconds N --out FILE'
const say = (text: string): void => void process.stdout.write(`${text}\n`)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string' },
    iterations: { type: 'string' },
    seed: { type: 'string' },
    threads: { type: 'string' },
    out: { type: 'string' },
  },
})
const [format, instance] = positionals

function number(name: 'seconds' | 'iterations' | 'seed' | 'threads'): number | undefined {
  const text = values[name]
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isFinite(value) || value < 0) throw new FormatError(`--${name} ${text} is no number`)
  return value
}

/** The best of several runs beside each other, each with a seed of its own. */
async function bestOf(
  threads: number,
  problem: ExamProblem,
  options: { seconds: number | undefined; iterations: number | undefined; seed: number },
): Promise<Solution> {
  const runs = Array.from({ length: threads }, (_, k) => startSolver(problem, { ...options, seed: options.seed + k }))
  const solutions = await Promise.all(runs.map(({ result }) => result))
  return solutions
    .filter((solution) => solution !== undefined)
    .reduce((a, b) => ((a.cost.brokenCount - b.cost.brokenCount || a.cost.total - b.cost.total) <= 0 ? a : b))
}

try {
  if ((format !== 'toronto' && format !== 'itc2007') || !instance) throw new FormatError(USAGE)
  const text = (ending: string) => readFile(`${instance}${ending}`, 'latin1')
  const problem =
    format === 'toronto'
      ? readToronto({ exm: await text('.exm'), stu: await text('.stu'), slo: await text('.slo') })
      : readItc2007(await text(''))
  const iterations = number('iterations')
  const seconds = number('seconds') ?? (iterations === undefined ? 60 : undefined)
  const seed = number('seed') ?? 1
  const threads = number('threads') ?? (iterations === undefined ? os.availableParallelism() : 1)
  const { placements, cost } =
    threads > 1
      ? await bestOf(threads, problem, { seconds, iterations, seed })
      : solve(problem, { seconds, iterations, seed })
  const figure = format === 'toronto' ? (cost.total / problem.students.length).toFixed(4) : String(cost.total)
  const named = (of: object) =>
    Object.entries(of)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')
  if (values.out)
    await writeFile(values.out, format === 'toronto' ? writeToronto(problem, placements) : writeItc2007(placements))
  const broken = cost.brokenCount === 0 ? 'nothing' : named(cost.broken)
  say(`cost ${figure}\nbroken ${broken}\nparts ${named(cost.parts)}`)
  process.exitCode = cost.brokenCount === 0 ? 0 : 1
} catch (error) {
  if (!(error instanceof FormatError) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 2
}
