/** Writes what a run gave. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { copyLine, copyRows } from '#db/bulk.ts'
import { firstRow } from '#db/rows.ts'
import { series } from '#kit/contract/index.ts'
import { takeSerial } from '#kit/server/unit/serials.ts'
import type { DistributionInput } from '../input.rules.ts'
import type { Distributed } from './distribute.rules.ts'
import type { RunInput } from './input.server.ts'

export const distributionNumbers = series('distribution', { per: 'year', format: 'D-{period}-{n}' })

/** Applicants whose places are written together. */
const TOGETHER = 5000
const PLACE_COLUMNS = [
  'run_id',
  'applicant_id',
  'program_id',
  'preference',
  'score',
  'wishes',
  'slots',
  'ranks',
  'reasons',
]

/** Writes a run and its places. Returns its id. */
export async function writeRun(
  tx: Tx,
  created_by: number | null,
  admission_id: number,
  seed: string,
  { settings, input, ids, scores, reasons, hash }: RunInput,
  { slots, ranks, given, standings, proof }: Distributed,
  progress: (percent: number) => Promise<void> = async () => {},
): Promise<number> {
  const programs = settings.programs.map(({ id }) => id)
  const givenTo = (a: number): number | null => (given[a]! < 0 ? null : programs[input.wishes[given[a]!]!]!)
  const result = createHash('sha256')
  for (let a = 0; a < ids.length; a++) result.update(`${ids[a]}:${givenTo(a) ?? ''}\n`)
  const { text } = await takeSerial(tx, distributionNumbers)
  const plain = Object.fromEntries(Object.entries(standings).map(([key, column]) => [key, [...column]]))
  const { rows } = await sql<{
    id: number
  }>`insert into distribution_runs (code, admission_id, round, applicants, assigned, first_preferences, programs,
      seats, blocking_pairs, input_hash, result_hash, lot_seed, terms, standings, proof, created_by)
    values (${text}, ${admission_id}, (select count(*) + 1 from distribution_runs where admission_id = ${admission_id} and status = 'confirmed'),
      ${input.applicants}, ${proof.assigned}, ${proof.firstPreferences}, ${proof.programs}, ${proof.seats}, ${proof.count ? Math.max(1, proof.blockingPairs) : 0},
      ${hash}, ${result.digest()}, ${seed}, ${JSON.stringify(settings.programs.map(({ id, terms }) => ({ id, ...terms })))},
      ${JSON.stringify({ ...plain, ranked: rankedBy(input) })}, ${JSON.stringify(proof)}, ${created_by}) returning id`.execute(
    tx,
  )
  const { id } = firstRow(rows)
  const lineOf = (a: number): string => {
    const [first, end] = [input.wishAt[a]!, input.wishAt[a + 1]!]
    let why: Record<string, unknown> | null = null
    for (let i = first; i < end; i++) if (reasons.has(i)) (why ??= {})[i - first + 1] = reasons.get(i)
    const score = scores[a]!
    return copyLine([
      id,
      ids[a]!,
      givenTo(a),
      given[a]! < 0 ? null : given[a]! - first + 1,
      Number.isNaN(score) ? null : score,
      input.wishes.subarray(first, end).map((p) => (p < 0 ? 0 : programs[p]!)),
      slots.subarray(first, end),
      ranks.subarray(first, end),
      why && JSON.stringify(why),
    ])
  }
  async function* lines(): AsyncGenerator<string> {
    for (let from = 0; from < ids.length; from += TOGETHER) {
      let text = ''
      for (let a = from; a < Math.min(from + TOGETHER, ids.length); a++) text += lineOf(a)
      yield text
      await progress(60 + Math.floor((40 * from) / ids.length))
    }
  }
  await copyRows(tx, 'distribution_places', PLACE_COLUMNS, lines())
  return id
}
/** By program: how many it ranks. */
const rankedBy = ({ rankAt, programs }: DistributionInput): number[] =>
  programs.map((_, p) => rankAt[p + 1]! - rankAt[p]!)
