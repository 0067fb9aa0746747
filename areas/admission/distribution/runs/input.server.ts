/** What a distribution stands on, read from the database: settings of the admission, and its applicants row by row. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { QUOTA_GROUPS } from '#areas/admission/admissions/words.contract.ts'
import { GrowingInts, type DistributionInput, type ProgramTerms } from '../input.rules.ts'
import { lotOf } from '../lottery.server.ts'
import {
  formulaProblems,
  judgeApplication,
  parseTenThousandths,
  rankingOrder,
  type AdmissionConditions,
  type ApplicationFacts,
  type RankingFormula,
  type RankingTerm,
  type ScoredApplication,
  type TieRule,
} from '../ranking.rules.ts'

/** A program as a run distributes it: with the seats that are left. */
export interface RunProgram extends RankingTerm {
  readonly code: string
  readonly terms: ProgramTerms
  readonly conditions: AdmissionConditions
}
/** Formula, programs and lot of an admission. */
export interface RunSettings {
  readonly formula: RankingFormula
  readonly programs: readonly RunProgram[]
  readonly hash: string
}
/** Everything that a run reads. */
export interface RunInput {
  readonly settings: RunSettings
  readonly input: DistributionInput
  /** By applicant: id, and score in hundred-millionths; NaN: no program ranks him or her. */
  readonly ids: Int32Array
  readonly scores: Float64Array
  /** Why a program does not rank an applicant, by the number of the preference. */
  readonly reasons: ReadonlyMap<number, readonly Reason[]>
  readonly hash: Buffer
}

const EGYPT = 64
const groupOf = (value: string): number => QUOTA_GROUPS.findIndex((one) => one.value === value)
const groupTerm = (value: string): RankingTerm => {
  const at = groupOf(value)
  const [name, name_local] = QUOTA_GROUPS[at]!.label
  return { id: at, name, name_local }
}
const exact = (text: string | null): number | null => (text === null ? null : parseTenThousandths(text))

interface ProgramRow {
  id: number
  code: string
  name: string
  name_local: string
  capacity: number
  min_percentage: string | null
  min_exam: string | null
  min_age: number | null
  max_age: number | null
  gender: number | null
  certificates: string[]
  quotas: { quota_group: string; reserved: number | null; maximum: number | null }[]
  subjects: { id: number; name: string; name_local: string; min: string }[]
  held: { egyptian: boolean; gender: number | null; certificate: string | null; count: number }[]
}

/** Whether somebody who holds a seat is of a group. */
const isOf = (group: string, one: ProgramRow['held'][number]): boolean =>
  group === 'egyptian'
    ? one.egyptian
    : group === 'foreign'
      ? !one.egyptian
      : group === 'male' || group === 'female'
        ? one.gender === (group === 'male' ? 1 : 2)
        : one.certificate === group

/** Seats that are left, and what is left of the limits of groups. */
function termsOf({ capacity, quotas, held }: ProgramRow): ProgramTerms {
  const taken = (group?: string): number =>
    held.reduce((sum, one) => sum + (group === undefined || isOf(group, one) ? one.count : 0), 0)
  return {
    capacity: Math.max(0, capacity - taken()),
    limits: quotas.map(({ quota_group, reserved, maximum }) => ({
      group: groupOf(quota_group),
      reserved: Math.max(0, (reserved ?? 0) - taken(quota_group)),
      maximum: maximum === null ? null : Math.max(0, maximum - taken(quota_group)),
    })),
  }
}

/** @throws {Refusal} 409 with every reason why the formula of the admission ranks nobody */
export async function readRunSettings(tx: Tx, admission_id: number, seed: string): Promise<RunSettings> {
  const { rows } = await sql<{
    first_day: string
    weight_percentage: string
    weight_exam: string
    subject_weights: { id: number; name: string; name_local: string; weight: string }[]
    ties: { criterion: string; subject: RankingTerm | null }[]
    programs: ProgramRow[]
  }>`select m.start_date::text as first_day, a.weight_percentage::text, a.weight_exam::text,
      coalesce((select json_agg(json_build_object('id', s.id, 'name', s.name, 'name_local', s.name_local, 'weight', w.weight::text) order by w.position)
        from admission_subject_weights w join certificate_subjects s on s.id = w.certificate_subject_id where w.admission_id = a.id), '[]') as subject_weights,
      coalesce((select json_agg(json_build_object('criterion', i.criterion, 'subject', case when s.id is not null then
          json_build_object('id', s.id, 'name', s.name, 'name_local', s.name_local) end) order by i.position)
        from admission_ties i left join certificate_subjects s on s.id = i.certificate_subject_id where i.admission_id = a.id), '[]') as ties,
      coalesce((select json_agg(json_build_object('id', p.id, 'code', p.code, 'name', p.name, 'name_local', p.name_local, 'capacity', x.capacity,
          'min_percentage', x.min_percentage::text, 'min_exam', x.min_exam::text, 'min_age', x.min_age, 'max_age', x.max_age, 'gender', x.gender,
          'certificates', x.certificates,
          'quotas', coalesce((select json_agg(json_build_object('quota_group', q.quota_group, 'reserved', q.reserved, 'maximum', q.maximum) order by q.position)
            from admission_quotas q where q.admission_program_id = x.id), '[]'::json),
          'subjects', coalesce((select json_agg(json_build_object('id', s.id, 'name', s.name, 'name_local', s.name_local, 'min', c.min_percentage::text) order by c.position)
            from admission_program_subjects c join certificate_subjects s on s.id = c.certificate_subject_id where c.admission_program_id = x.id), '[]'::json),
          'held', coalesce((select json_agg(h) from (select t.nationality_id is not distinct from ${EGYPT} as egyptian, t.gender, k.certificate_group as certificate, count(*)::int as count
            from applicants t left join certificate_types k on k.id = t.certificate_type_id
            where t.program_id = x.program_id and t.admission_id = x.admission_id group by 1, 2, 3 order by 1, 2, 3) h), '[]'::json)) order by p.id)
        from admission_programs x join programs p on p.id = x.program_id where x.admission_id = a.id and x.removed_at is null), '[]') as programs
    from admissions a join terms m on m.id = a.term_id where a.id = ${admission_id}`.execute(tx)
  const { first_day, ties, subject_weights, programs, ...weights } = firstRow(rows)
  const formula: RankingFormula = {
    // Percent with two places, of which 100 is all of it.
    certificate: Math.round(Number(weights.weight_percentage) * 100),
    exam: Math.round(Number(weights.weight_exam) * 100),
    subjects: subject_weights.map(({ weight, ...subject }) => ({ subject, weight: Math.round(Number(weight) * 100) })),
    ties: [...ties.filter(({ criterion }) => criterion !== 'lot').map(tieOf), { by: 'lottery', seed }],
  }
  const reasons = formulaProblems(formula)
  if (reasons.length) throw new Refusal(409, reasons)
  const ready = programs.map((row): RunProgram => {
    const { id, code, name, name_local } = row
    return {
      id,
      code,
      name,
      name_local,
      terms: termsOf(row),
      conditions: {
        certificate: exact(row.min_percentage),
        exam: exact(row.min_exam),
        subjects: row.subjects.map(({ min, ...subject }) => ({ subject, min: exact(min) ?? 0 })),
        age:
          row.min_age === null && row.max_age === null ? null : { on: first_day, min: row.min_age, max: row.max_age },
        certificateTypes: row.certificates.length ? row.certificates.map(groupTerm) : null,
        genders: row.gender === null ? null : [String(row.gender)],
        nationalityGroups: null,
      },
    }
  })
  return {
    formula,
    programs: ready,
    hash: JSON.stringify([formula, ready.map(({ id, terms, conditions }) => [id, terms, conditions])]),
  }
}
const tieOf = ({ criterion, subject }: { criterion: string; subject: RankingTerm | null }): TieRule =>
  criterion === 'subject' && subject
    ? { by: 'subject', subject }
    : {
        by:
          criterion === 'percentage'
            ? 'certificate'
            : criterion === 'exam'
              ? 'exam'
              : criterion === 'older'
                ? 'older'
                : 'earlier',
      }

interface ApplicantRow {
  id: number
  percentage: string | null
  exam_result: string | null
  certificate: string | null
  gender: number | null
  egyptian: boolean
  birth_date: string | null
  submitted: string | null
  wishes: string
  subjects: string
}
/** Applicants of one fetch. */
const TOGETHER = 5000
const NO_SUBJECTS: ReadonlyMap<number, number> = new Map()

/** What is known of an application. The lot is drawn only where nothing else tells two apart. */
class Application implements ApplicationFacts {
  readonly id: number
  readonly certificate: number | null
  readonly certificateType: number | null
  readonly exam: number | null
  readonly subjects: ReadonlyMap<number, number>
  readonly birthDate: string | null
  readonly gender: string | null
  readonly nationalityGroup = null
  readonly submitted: number
  private readonly seed: string
  constructor(row: ApplicantRow, seed: string) {
    this.id = row.id
    this.certificate = exact(row.percentage)
    this.certificateType = row.certificate === null ? null : groupOf(row.certificate)
    this.exam = exact(row.exam_result)
    this.subjects = row.subjects
      ? new Map(
          row.subjects.split(' ').map((one) => {
            const [subject, percent] = one.split(':')
            return [Number(subject), Number(percent)]
          }),
        )
      : NO_SUBJECTS
    this.birthDate = row.birth_date
    this.gender = row.gender === null ? null : String(row.gender)
    this.submitted = Number(row.submitted ?? 0)
    this.seed = seed
  }
  get lot(): string {
    return lotOf(this.seed, this.id)
  }
}

/** Subjects that weigh, tell equals apart or are a condition. */
const askedSubjects = ({ formula, programs }: RunSettings): number[] => [
  ...new Set([
    ...formula.subjects.map(({ subject }) => subject.id),
    ...formula.ties.flatMap((tie) => (tie.by === 'subject' ? [tie.subject.id] : [])),
    ...programs.flatMap(({ conditions }) => conditions.subjects.map(({ subject }) => subject.id)),
  ]),
]
const applicantRows = (
  subjects: readonly number[],
) => sql`select t.id, t.percentage::text, t.exam_result::text, k.certificate_group as certificate, t.gender,
      t.nationality_id is not distinct from ${sql.lit(EGYPT)} as egyptian, t.birth_date::text,
      (extract(epoch from t.submitted_at) * 1000000)::bigint::text as submitted,
      coalesce((select string_agg(w.program_id::text, ' ' order by w.position) from applicant_preferences w where w.applicant_id = t.id), '') as wishes,
      ${
        subjects.length
          ? sql`coalesce((select string_agg(s.certificate_subject_id || ':' || round(s.mark * 1000000 / m.max_mark)::bigint, ' ' order by s.certificate_subject_id)
              from applicant_subjects s join certificate_type_subjects m on m.certificate_type_id = t.certificate_type_id and m.certificate_subject_id = s.certificate_subject_id
              where s.applicant_id = t.id and s.certificate_subject_id in (${sql.join(subjects.map((one) => sql.lit(one)))})), '')`
          : sql`''`
      } as subjects
    from applicants t left join certificate_types k on k.id = t.certificate_type_id`

/** One application as rankings see it, with the groups that it belongs to. */
export async function readApplication(
  tx: Tx,
  settings: RunSettings,
  id: number,
  seed: string,
): Promise<{ facts: ApplicationFacts; groups: readonly number[] }> {
  const { rows } = await sql<ApplicantRow>`${applicantRows(askedSubjects(settings))} where t.id = ${id}`.execute(tx)
  const row = firstRow(rows)
  return { facts: new Application(row, seed), groups: groupsOf(row) }
}
const groupsOf = ({ egyptian, gender, certificate }: ApplicantRow): number[] =>
  [egyptian ? 'egyptian' : 'foreign', gender === null ? null : gender === 1 ? 'male' : 'female', certificate].flatMap(
    (group) => (group === null ? [] : [groupOf(group)]),
  )

/**
 * Reads the applicants of an admission who wait for a seat, in the order of their ids, in one snapshot. Marks of subjects are percent with four
 * places, rounded half up.
 */
export async function readInput(
  tx: Tx,
  admission_id: number,
  seed: string,
  progress: (count: number) => Promise<void> = async () => {},
): Promise<RunInput> {
  const settings = await readRunSettings(tx, admission_id, seed)
  const { formula, programs } = settings
  const hash = createHash('sha256').update(`${settings.hash}\n`)
  const placeOf = new Map(programs.map(({ id }, at) => [id, at]))
  const ids = new GrowingInts()
  const groupAt = new GrowingInts()
  const groups = new GrowingInts()
  const wishAt = new GrowingInts()
  const wishes = new GrowingInts()
  /** By preference: whether the program ranks the applicant. */
  const qualified = new GrowingInts()
  const scored: ScoredApplication[] = []
  /** By ranked application: the number of the applicant. */
  const whose = new GrowingInts()
  const scores: number[] = []
  const reasons = new Map<number, readonly Reason[]>()
  groupAt.push(0)
  wishAt.push(0)

  const take = (row: ApplicantRow): void => {
    hash.update(`${Object.values(row).join('|')}\n`)
    const facts = new Application(row, seed)
    ids.push(row.id)
    for (const group of groupsOf(row)) groups.push(group)
    groupAt.push(groups.length)
    let score = NaN
    for (const id of row.wishes ? row.wishes.split(' ') : []) {
      const program = placeOf.get(Number(id)) ?? -1
      const verdict = program < 0 ? null : judgeApplication(facts, formula, programs[program]!.conditions)
      if (verdict?.score != null) score = verdict.score
      else if (verdict) reasons.set(wishes.length, verdict.reasons)
      qualified.push(verdict?.score != null ? 1 : 0)
      wishes.push(program)
    }
    wishAt.push(wishes.length)
    scores.push(score)
    if (Number.isNaN(score)) return
    scored.push({ score, facts })
    whose.push(ids.length - 1)
  }

  await sql`declare distributed no scroll cursor for ${applicantRows(askedSubjects(settings))}
    where t.admission_id = ${sql.lit(admission_id)} and t.status = 'DISTRIBUATION_REQUIRED' and t.program_id is null and t.removed_at is null
    order by t.id`.execute(tx)
  for (;;) {
    const { rows } = await sql<ApplicantRow>`fetch ${sql.lit(TOGETHER)} from distributed`.execute(tx)
    for (const row of rows) take(row)
    if (rows.length < TOGETHER) break
    await progress(ids.length)
  }
  await sql`close distributed`.execute(tx)

  const { order, reasons: equal } = rankingOrder(formula.ties, scored)
  if (equal.length) throw new Refusal(409, equal)
  const input = {
    applicants: ids.length,
    programs: programs.map(({ terms }) => terms),
    groupCount: QUOTA_GROUPS.length,
    groupAt: groupAt.done(),
    groups: groups.done(),
    wishAt: wishAt.done(),
    wishes: wishes.done(),
    ...rankings(programs.length, order, whose.done(), wishAt.done(), wishes.done(), qualified.done()),
  }
  return { settings, input, ids: ids.done(), scores: Float64Array.from(scores), reasons, hash: hash.digest() }
}

/** Whom each program may take, the best first: of one order of all, those who wish for it and meet its conditions. */
function rankings(
  programs: number,
  order: Int32Array,
  whose: Int32Array,
  wishAt: Int32Array,
  wishes: Int32Array,
  qualified: Int32Array,
): Pick<DistributionInput, 'rankAt' | 'ranking'> {
  const rankAt = new Int32Array(programs + 1)
  for (let i = 0; i < wishes.length; i++) if (qualified[i]) rankAt[wishes[i]! + 1]!++
  for (let p = 0; p < programs; p++) rankAt[p + 1]! += rankAt[p]!
  const ranking = new Int32Array(rankAt[programs]!)
  const free = rankAt.slice(0, programs)
  for (const at of order) {
    const a = whose[at]!
    for (let i = wishAt[a]!; i < wishAt[a + 1]!; i++) if (qualified[i]) ranking[free[wishes[i]!]!++] = a
  }
  return { rankAt, ranking }
}
