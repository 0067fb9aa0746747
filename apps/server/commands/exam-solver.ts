/**
 * `npm run exam-solver -- toronto|itc2007 INSTANCE --seconds N --out FILE`: solves an examination instance of a public
 * format, prints what the plan costs and writes it as the checkers of the format read it. INSTANCE is the path without
 * ending for toronto (`.exm`, `.stu` and `.slo` lie beside each other), the `.exam` file for itc2007.
 *
 *   --seed N        another run (default 1)
 *   --iterations N  so many proposals instead of a time: the same every time
 */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import {
  FormatError,
  readItc2007,
  readToronto,
  writeItc2007,
  writeToronto,
} from '#areas/exams/exams/solver/formats.rules.ts'
import { solve } from '#areas/exams/exams/solver/solve.rules.ts'

const USAGE = 'usage: npm run exam-solver -- toronto|itc2007 INSTANCE --seconds N --out FILE'
const say = (text: string): void => void process.stdout.write(`${text}\n`)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string' },
    iterations: { type: 'string' },
    seed: { type: 'string' },
    out: { type: 'string' },
  },
})
const [format, instance] = positionals

function number(name: 'seconds' | 'iterations' | 'seed'): number | undefined {
  const text = values[name]
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isFinite(value) || value < 0) throw new FormatError(`--${name} ${text} is no number`)
  return value
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
  const { placements, cost } = solve(problem, { seconds, iterations, seed: number('seed') })
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
