/** Files of models and of scores. */
import { z } from 'zod'
import { encode, type ReadCells } from './frame.rules.ts'
import { measured, type Measures } from './measure.rules.ts'
import { scoreRows, type ScoredRow, type WarningModel } from './model.rules.ts'
import { isEmpty, WarningModelError, type CellTable } from './table.rules.ts'

const numbers = z.array(z.number())
const column = z.object({
  name: z.string(),
  kind: z.enum(['number', 'code', 'category']),
  values: z.array(z.string()),
  mean: z.number(),
  sd: z.number(),
  usual: z.string(),
  gaps: z.boolean(),
})
const tree = z.object({ feature: numbers, limit: numbers, less: numbers, more: numbers, value: numbers })
const file = z.object({
  format: z.literal('early-warning 1'),
  target: z.string(),
  names: z.array(z.string()),
  classes: z.array(z.string()).min(2),
  schema: z.object({
    columns: z.array(column).min(1),
    shares: z.array(z.object({ part: z.int().min(0), whole: z.int().min(0) })),
  }),
  trees: z.object({ start: numbers, trees: z.array(z.array(tree)) }).nullable(),
  regression: z.array(numbers).nullable(),
  share: z.number(),
  power: z.number(),
  class_weights: numbers,
})

/** A model as it was written. @throws {WarningModelError} where it is none */
export function readModel(text: string): WarningModel {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    throw new WarningModelError('this is no model of early warning: not JSON')
  }
  const checked = file.safeParse(read)
  if (checked.success) return read as WarningModel
  const [issue] = checked.error.issues
  throw new WarningModelError(`this is no model of early warning: ${issue?.path.join('.')}: ${issue?.message}`)
}

export interface Scored {
  readonly rows: readonly ScoredRow[]
  readonly unknown: ReadCells['unknown']
  /** By the column of the target, where it is there: of rows whose class the model knows. */
  readonly measures: (Measures & { readonly rows: number }) | null
}

/** Scores a table. @throws {WarningModelError} naming columns that are missing */
export function scoreTable(model: WarningModel, table: CellTable, reasons = 3): Scored {
  const { encoded, unknown } = encode(table, model.schema.columns)
  const rows = scoreRows(model, encoded, reasons)
  const place = table.heads.indexOf(model.target)
  const known = rows.flatMap(({ chosen }, i) => {
    const cell = table.rows[i]![place]
    const k = place < 0 || isEmpty(cell) ? -1 : model.classes.indexOf(cell!)
    return k < 0 ? [] : [[k, chosen] as const]
  })
  const measures = known.length
    ? {
        ...measured(
          known.map(([truth]) => truth),
          known.map(([, chosen]) => chosen),
          model.classes.length,
        ),
        rows: known.length,
      }
    : null
  return { rows, unknown, measures }
}

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Scores as CSV: what rows are called, probabilities by class, the class, and what weighs most for it. */
export function scoresAsCsv(model: WarningModel, table: CellTable, { rows }: Scored): string {
  const names = model.names.flatMap((name) => (table.heads.includes(name) ? [table.heads.indexOf(name)] : []))
  const places = model.schema.columns.map(({ name }) =>
    table.heads.findIndex((head) => head.trim().toLowerCase() === name.trim().toLowerCase()),
  )
  const heads = [
    'row',
    ...names.map((place) => table.heads[place]!),
    ...model.classes.map((name) => `p_${name}`),
    'predicted',
    'reasons',
  ]
  const lines = rows.map(({ shares, chosen, weighing }, i) => {
    const row = table.rows[i]!
    const reasons = weighing.map(({ column: c, points }) => {
      const { name } = model.schema.columns[c]!
      const value = row[places[c]!] ?? ''
      return `${name} = ${isEmpty(value) ? '(empty)' : value} (+${points.toFixed(0)})`
    })
    return [
      String(i + 1),
      ...names.map((place) => row[place] ?? ''),
      ...shares.map((one) => one.toFixed(4)),
      model.classes[chosen]!,
      reasons.join('; '),
    ]
  })
  return `${[heads, ...lines].map((line) => line.map(cell).join(',')).join('\n')}\n`
}
