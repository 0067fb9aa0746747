/**
 * `npm run early-warning -- fit CSV --target COLUMN --out MODEL`: fits a model that tells apart the classes of a column, and prints how good
 * it is on rows it had not seen. `npm run early-warning -- score CSV MODEL`: prints probabilities, class and reasons of each row as CSV, and
 * how many classes are right where the column is there. No service is asked. `--help` says what can be set. How:
 * `areas/enrolment/early-warning/README.md`. Ends with 2 where a file cannot be used, and says why.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { readModel, scoresAsCsv, scoreTable } from '#areas/enrolment/early-warning/model/file.rules.ts'
import type { ClassMeasure } from '#areas/enrolment/early-warning/model/measure.rules.ts'
import { fitModel } from '#areas/enrolment/early-warning/model/model.rules.ts'
import { WarningModelError, type CellTable } from '#areas/enrolment/early-warning/model/table.rules.ts'
import { closeSheets, latinDigits, readCsv, SheetError } from '#kit/server/sheets/index.ts'

const USAGE = `usage: npm run early-warning -- fit CSV --target COLUMN --out MODEL
       npm run early-warning -- score CSV MODEL [--out FILE]`
const HELP = `${USAGE}

CSV    a table with heads in UTF-8 or UTF-16, separated by commas, semicolons or tabs; numbers with a decimal point or comma;
       cells that are empty, or NA, NaN, none, - or ?, are missing

fit    --target COLUMN    its values are the classes that are told apart: 2 to 20, each in 10 rows or more
       --out MODEL        the model is written there
       --without COLUMN   is not learned from (may be repeated)
       --keep COLUMN      is learned from, even if it looks like an id (may be repeated)
       --folds N          so many folds (default 5)
       --seed N           other draws (default 1)
score  --out FILE         writes the CSV there; what is said of it is printed
       --reasons N        so many reasons (default 3)`
const WRONG = 2
// Whoever reads a part only closes the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
const print = (text: string): void => void process.stdout.write(`${text}\n`)
const aside = (text: string): void => void process.stderr.write(`${text}\n`)

function given() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        target: { type: 'string' },
        out: { type: 'string' },
        without: { type: 'string', multiple: true, default: [] },
        keep: { type: 'string', multiple: true, default: [] },
        folds: { type: 'string', default: '5' },
        seed: { type: 'string', default: '1' },
        reasons: { type: 'string', default: '3' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    aside(`${(error as Error).message.split('\n')[0]}\n${USAGE}`)
    process.exit(WRONG)
  }
}
const { values, positionals } = given()

function whole(name: 'folds' | 'seed' | 'reasons', least: number, most: number): number {
  const value = Number(values[name])
  if (!Number.isInteger(value) || value < least || value > most)
    throw new WarningModelError(`--${name} ${values[name]}: a whole number from ${least} to ${most} is expected`)
  return value
}

async function bytesOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new WarningModelError(`${file}: ${(error as Error).message}`)
  }
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (error) {
    throw new WarningModelError(`${file}: ${(error as Error).message}`)
  }
}

/** Why a file is no table, in words. */
function whyNot({ code, data }: SheetError): string {
  if (code === 'sheet_too_large') return `too large: at most ${String(data.limit)} ${String(data.what)}`
  if (code === 'sheet_broken' && data.reason !== 'encoding') return `broken as CSV: ${String(data.reason)}`
  if (code === 'sheet_broken') return 'neither UTF-8 nor UTF-16; save it as CSV UTF-8'
  if (code === 'not_a_spreadsheet') return 'no text; save the table as CSV UTF-8'
  return `cannot be read (${code})`
}

async function tableOf(file: string): Promise<CellTable> {
  const bytes = await bytesOf(file)
  try {
    const { sheets } = await readCsv(bytes, { maxRows: 500_000, maxColumns: 1_000 })
    const [heads, ...rows] = (sheets[0]?.rows ?? []).map((row) => row.map(({ text }) => latinDigits(text)))
    if (!heads || !rows.length) throw new WarningModelError(`${file}: there are no rows below the heads`)
    return { heads, rows }
  } catch (error) {
    if (!(error instanceof SheetError)) throw error
    throw new WarningModelError(`${file}: ${whyNot(error)}`)
  }
}

const share = (value: number) => value.toFixed(3)
function classesTable(names: readonly string[], classes: readonly ClassMeasure[]): string {
  const width = Math.max(5, ...names.map((name) => name.length))
  const line = (name: string, ...cells: string[]) =>
    [name.padEnd(width), ...cells.map((one) => one.padStart(9))].join(' ')
  return [
    line('class', 'rows', 'precision', 'recall', 'F1'),
    ...classes.map((one, k) =>
      line(names[k]!, String(one.rows), share(one.precision), share(one.recall), share(one.f1)),
    ),
  ].join('\n')
}

async function fit(file: string): Promise<void> {
  const { target, out, without, keep } = values
  if (target === undefined || out === undefined) throw new WarningModelError(USAGE)
  const table = await tableOf(file)
  const begun = performance.now()
  const options = { target, without, keep, folds: whole('folds', 2, 20), seed: whole('seed', 0, 1e9) }
  const { model, leftOut, rowsWithout, rowsNotDrawn } = fitModel(table, options)
  const seconds = (performance.now() - begun) / 1000
  await write(out, JSON.stringify(model))
  const { report } = model
  print(`${model.rows} rows, ${model.schema.columns.length} columns, classes: ${model.classes.join(', ')}`)
  if (rowsWithout) print(`${rowsWithout} rows without a class were left out`)
  if (rowsNotDrawn) print(`${rowsNotDrawn} more rows were not drawn`)
  for (const { name, why } of leftOut) print(`left out: "${name}" (${why})`)
  const kind =
    model.share === 1
      ? 'trees'
      : model.share === 0
        ? 'regression'
        : `${Math.round(model.share * 100)} % trees, the rest regression`
  print(`model: ${kind}; ${model.rounds} rounds of trees, ridge ${model.ridge}`)
  print(
    `macro-F1 ${share(report.macro_f1)} ± ${share(report.spread)} over ${report.folds} folds (${report.by_fold.map(share).join(', ')}), ` +
      `accuracy ${share(report.accuracy)}`,
  )
  print(classesTable(model.classes, report.classes))
  print(`Brier score ${share(report.brier)}, calibration error (ECE) ${share(report.calibration_error)}`)
  print(`fitted in ${seconds.toFixed(1)} s, written to ${out}`)
}

async function score(file: string, modelFile: string): Promise<void> {
  const model = readModel((await bytesOf(modelFile)).toString('utf8'))
  const table = await tableOf(file)
  const scored = scoreTable(model, table, whole('reasons', 0, 20))
  const csv = scoresAsCsv(model, table, scored)
  // The CSV alone goes to standard output where it is not written to a file.
  const say = values.out === undefined ? aside : print
  if (values.out === undefined) process.stdout.write(csv)
  else await write(values.out, csv)
  for (const { name, count, values: strange } of scored.unknown)
    say(`"${name}": ${count} cells the model does not know were taken as empty (${strange.join(', ')})`)
  const { measures } = scored
  if (!measures) return
  say(`macro-F1 ${share(measures.macro_f1)} on ${measures.rows} rows, accuracy ${share(measures.accuracy)}`)
  say(classesTable(model.classes, measures.classes))
}

try {
  const [what, file, model] = positionals
  if (values.help) print(HELP)
  else if (what === 'fit' && file !== undefined && model === undefined) await fit(file)
  else if (what === 'score' && file !== undefined && model !== undefined) await score(file, model)
  else throw new WarningModelError(USAGE)
} catch (error) {
  if (!(error instanceof WarningModelError)) throw error
  aside(error.message)
  process.exitCode = WRONG
} finally {
  await closeSheets()
}
