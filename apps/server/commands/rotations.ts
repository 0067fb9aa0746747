/**
 * `npm run rotations -- INSTANCE --seconds N --out RESULT`: makes a plan of rotations of a file, proves it, and prints what it
 * costs beside what no plan can cost less than. Formats: `areas/practice/internship/plan/instance.rules.ts`.
 *
 *   --before PLAN   repairs this plan: as few periods as possible change
 *   --seed N        another run (default 1)
 *   --rounds N      so many rounds instead of a time: the same every time
 *
 * Ends with 1 where there is no plan, or none was found, and says why.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { rotationBound, whyNoPlan } from '#areas/practice/internship/plan/bound.rules.ts'
import {
  NOWHERE,
  RotationError,
  rotationInstance,
  rotationModel,
  rotationPlan,
  type RotationModel,
} from '#areas/practice/internship/plan/instance.rules.ts'
import { searchRotations, type FoundRotations } from '#areas/practice/internship/plan/search.rules.ts'

const USAGE = 'usage: npm run rotations -- INSTANCE --seconds N --out RESULT'
const say = (text: string): void => void process.stdout.write(`${text}\n`)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    seed: { type: 'string' },
    before: { type: 'string' },
    out: { type: 'string' },
  },
})

function number(name: 'seconds' | 'rounds' | 'seed'): number | undefined {
  const text = values[name]
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isFinite(value) || value < 0) throw new RotationError(`--${name} ${text} is no number`)
  return value
}
async function json(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new RotationError(`${file}: ${(error as Error).message}`)
  }
}

async function rowsOf(file: string, model: RotationModel): Promise<Int32Array[]> {
  const { plan } = rotationPlan.parse(await json(file))
  return model.names.map((name) => {
    const row = plan[name]
    if (row?.length !== model.periods) throw new RotationError(`${file}: no year of ${name}`)
    return Int32Array.from(row, (id) => (id === null ? NOWHERE : model.departments.indexOf(id)))
  })
}

function written(model: RotationModel, { rows }: FoundRotations): string {
  const plan = model.names.map((name, t) => [
    name,
    Array.from(rows[t]!, (d) => (d === NOWHERE ? null : model.departments[d])),
  ])
  return JSON.stringify({ plan: Object.fromEntries(plan) })
}

try {
  const [file] = positionals
  if (!file) throw new RotationError(USAGE)
  const read = rotationInstance.safeParse(await json(file))
  if (!read.success)
    throw new RotationError(
      read.error.issues
        .slice(0, 10)
        .map(({ path, message }) => `${path.join('.')}: ${message}`)
        .join('\n'),
    )
  const model = rotationModel(read.data)
  const reasons = whyNoPlan(model)
  if (reasons.length) {
    for (const reason of reasons)
      if (reason.why === 'trainee')
        say(`no plan: the blocks of ${model.names[reason.trainee]} do not fit into the year`)
      else
        say(
          `no plan: ${reason.why === 'department' ? model.departments[reason.department] : `period ${reason.period}`} has ` +
            `${reason.places} places, and ${reason.needed} are needed`,
        )
    process.exitCode = 1
  } else {
    const begun = performance.now()
    const bound = rotationBound(model)
    const before = values.before ? await rowsOf(values.before, model) : undefined
    const rounds = number('rounds')
    const given = number('seconds') ?? (rounds === undefined ? 60 : Infinity)
    const took = () => (performance.now() - begun) / 1000
    let first: number | null = null
    const {
      found,
      nearest,
      rounds: done,
    } = searchRotations(model, {
      seconds: Math.max(1, given - took() - 0.5),
      ...(rounds !== undefined && { rounds }),
      seed: number('seed') ?? 1,
      enough: before ? -1 : bound,
      ...(before && { before }),
      better: () => {
        first ??= took()
      },
    })
    const plan = found ?? nearest
    if (values.out) await writeFile(values.out, written(model, plan))
    const { cost, wishes, worst, overfull, broken } = plan.judgement
    if (!found) {
      say(`no plan found in ${took().toFixed(1)} s; the nearest lacks places:`)
      for (const { department, period, over } of overfull.slice(0, 20))
        say(`  ${model.departments[department]} lacks ${over} in period ${period}`)
      if (broken.length) say(`  ${broken.length} rules are broken`)
      process.exitCode = 1
    }
    say(
      `cost ${cost.total.toFixed(2)} (wishes ${cost.wishes}, apart ${cost.apart.toFixed(2)}); no plan costs less than ` +
        `${bound.toFixed(2)}; ${bound > 0 ? (cost.total / bound).toFixed(3) : '–'} times that`,
    )
    say(
      `wishes served: ${wishes.map((count, i) => `${i < wishes.length - 1 ? i + 1 : 'none'}: ${count}`).join(', ')}; worst ${worst}`,
    )
    if (before) say(`${plan.moved} periods changed`)
    if (found) say(`first plan after ${first!.toFixed(1)} s, ${done} rounds in ${took().toFixed(1)} s`)
  }
} catch (error) {
  if (!(error instanceof RotationError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
