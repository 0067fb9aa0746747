/** What is sealed beside the sheets: which records, what of each, and in which form. */
import { createHash } from 'node:crypto'
import type { Tx } from '#db/connect.ts'
import { sql } from 'kysely'

/** Kinds of records of which each is sealed as a whole; beside them stands the history of an offering, of which rows are added. */
export const SIGNED_KINDS = ['term', 'credit', 'grace', 'level', 'offering'] as const
export type SignedKind = (typeof SIGNED_KINDS)[number]

const decimal = (column: string): string => `trim_scale(${column})::text`
const digest = (text: string): string => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`

interface Sealed {
  /** What the places of the content are called in a finding, with their SQL. */
  readonly fields: readonly (readonly [name: string, column: string])[]
  readonly key: string
  readonly from: string
  /** SQL of whom it is of, of which offering, and of which term or course; null where it has none. */
  readonly student: string
  readonly offering: string
}

const SIGNED_OFFERING = `o.control_status in ('Approved', 'Published', 'Frozen')`

/** Of each kind, what is sealed. Numbers of records and figures: no name of a person. */
export const SEALED: Readonly<Record<SignedKind, Sealed>> = {
  term: {
    key: `t.student_id || '-' || t.term_id`,
    from: 'student_terms t',
    student: 't.student_id',
    offering: 'null::int',
    fields: [
      ['student_id', 't.student_id'],
      ['term_id', 't.term_id'],
      ...['registered_hours', 'attempted_hours', 'passed_hours', 'term_points', 'gpa'].map(
        (name) => [name, decimal(`t.${name}`)] as const,
      ),
      ...['cumulative_hours', 'cumulative_passed_hours', 'cumulative_points', 'cumulative_gpa'].map(
        (name) => [name, decimal(`t.${name}`)] as const,
      ),
      ...['level', 'warned', 'warnings', 'standing'].map((name) => [name, `t.${name}`] as const),
      ['graduation', digest('t.graduation::text')],
    ],
  },
  credit: {
    key: 't.id::text',
    from: 'course_credits t',
    student: 't.student_id',
    offering: 'null::int',
    fields: [
      ...['student_id', 'former_study_id', 'equivalence_id', 'course_id', 'term_id', 'after_term_id'].map(
        (name) => [name, `t.${name}`] as const,
      ),
      ['credit_hours', decimal('t.credit_hours')],
      ['letter', 't.letter'],
      ['points', decimal('t.points')],
      ['mark', decimal('t.mark')],
      ['maximum', 't.maximum'],
      ['counts_in_gpa', 't.counts_in_gpa'],
      ['code', 't.code'],
      ['name', 't.name'],
      ['name_local', 't.name_local'],
    ],
  },
  grace: {
    key: 't.registration_id::text',
    from: 'grace_marks t join registrations r on r.id = t.registration_id',
    student: 'r.student_id',
    offering: 'r.offering_id',
    fields: [
      ['level_result_id', 't.level_result_id'],
      ['grace', decimal('t.marks')],
    ],
  },
  level: {
    key: `t.level_result_id || '-' || t.student_id`,
    from: 'level_result_students t',
    student: 't.student_id',
    offering: 'null::int',
    fields: [
      ['student_year_id', 't.student_year_id'],
      ['applied', 't.applied'],
      ['outcome', 't.outcome'],
      ['rating', 't.rating'],
      ['marks', decimal('t.marks')],
      ['maximum', decimal('t.maximum')],
      ['grace', decimal('t.grace')],
      ['grace_on_sum', decimal('t.grace_on_sum')],
      ['failed', 't.failed'],
      ['uses_chance', 't.uses_chance'],
      ['courses', digest('t.courses::text')],
      ['degree', digest('t.degree::text')],
    ],
  },
  offering: {
    key: 'o.id::text',
    from: `offerings o left join offering_words w on w.offering_id = o.id`,
    student: 'null::int',
    offering: 'o.id',
    fields: [
      ['course_id', 'o.course_id'],
      ['term_id', 'o.term_id'],
      ['code', 'w.code'],
      ['name', 'w.name'],
      ['name_local', 'w.name_local'],
      ['credit_hours', decimal('w.credit_hours')],
    ],
  },
}
/** Rows of a kind that are sealed at all. A level result that is not applied, and an offering below Approved, decide nothing. */
const DECIDED: Readonly<Record<SignedKind, string>> = {
  term: 'true',
  credit: 'true',
  grace: 'true',
  level: 't.applied',
  offering: SIGNED_OFFERING,
}

/** SQL of what stands of a kind: key, student_id, offering_id and content; `keys` narrows it. */
export const standingRecords = (kind: SignedKind, condition = 'true'): string => {
  const { key, from, student, offering, fields } = SEALED[kind]
  return `select ${key} as key, ${student} as student_id, ${offering} as offering_id,
      json_build_array(${fields.map(([, column]) => column).join(', ')}) as content
    from ${from} where ${DECIDED[kind]} and ${condition}`
}
/** SQL over `k.key`: the condition by which rows of a kind are found by an index. */
const BY_KEY: Readonly<Record<SignedKind, string>> = {
  term: `(t.student_id, t.term_id) in (select split_part(k, '-', 1)::int, split_part(k, '-', 2)::int from unnest($keys) k)`,
  credit: 't.id in (select k::int from unnest($keys) k)',
  grace: 't.registration_id in (select k::int from unnest($keys) k)',
  level: `(t.level_result_id, t.student_id) in (select split_part(k, '-', 1)::int, split_part(k, '-', 2)::int from unnest($keys) k)`,
  offering: 'o.id in (select k::int from unnest($keys) k)',
}

/** SQL of the hash of a row `h` of the history of registrations. */
export const HISTORY_HASH = digest(`json_build_array(h.id, h.registration_id, h.student_id, h.offering_id,
  to_char(h.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), h.actor_id, h.impersonator_id, h.action, h.from_status::text,
  h.to_status::text, h.reason, h.overrides::text, h.offering_slot_ids)::text`)
/** SQL of the sealed rows of histories: offering_id, id, hash, number; of these offerings, where a condition over `g.key` says so. */
export const sealedHistory = (condition = 'true'): string =>
  `select g.key::int as offering_id, (e ->> 0)::bigint as id, e ->> 1 as hash, g.number
  from grade_link_records g cross join jsonb_array_elements(g.content::jsonb) e where g.kind = 'history' and ${condition}`

/** A record as a link seals it. */
export interface SealedRecord {
  readonly kind: SignedKind | 'history'
  readonly key: string
  readonly content: string | null
  readonly hash: string
}

export const recordHash = (kind: string, key: string, content: string | null): string =>
  createHash('sha256')
    .update(`${kind}:${key}:${content ?? ''}`)
    .digest('hex')

/** The hash over the records of a link. */
export const recordsHash = (records: readonly Pick<SealedRecord, 'kind' | 'key' | 'hash'>[]): string =>
  createHash('sha256')
    .update(
      records
        .map(({ kind, key, hash }) => `${kind}:${key}:${hash}\n`)
        .sort()
        .join(''),
    )
    .digest('hex')

const sealed = (kind: SealedRecord['kind'], key: string, value: unknown): SealedRecord => {
  const content = value === null ? null : JSON.stringify(value)
  return { kind, key, content, hash: recordHash(kind, key, content) }
}

/** Of these records those that stand otherwise than they were sealed, as they stand. */
export async function changedRecords(tx: Tx, kind: SignedKind, keys: readonly string[]): Promise<SealedRecord[]> {
  if (!keys.length) return []
  const { rows } = await sql<{ key: string; content: unknown }>`
    with wanted as (select distinct k as key from unnest(${[...keys]}::text[]) k),
    stands as (${sql.raw(standingRecords(kind, BY_KEY[kind].replace('$keys', '(select array_agg(key) from wanted)')))}),
    last as (select distinct on (g.key) g.key, g.content from grade_link_records g
      where g.kind = ${kind} and g.key in (select key from wanted) order by g.key, g.number desc)
    select w.key, s.content from wanted w left join stands s on s.key = w.key left join last l on l.key = w.key
    where s.content::jsonb is distinct from l.content::jsonb order by w.key`.execute(tx)
  return rows.map(({ key, content }) => sealed(kind, key, content))
}

/** Keys of a kind that stand and were never sealed, or not since they came back. */
export async function unsealedKeys(tx: Tx, kind: SignedKind): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select s.key from (${sql.raw(standingRecords(kind))}) s
      left join lateral (select g.content from grade_link_records g where g.kind = ${kind} and g.key = s.key
        order by g.number desc limit 1) l on true
    where l.content is null`.execute(tx)
  return rows.map((row) => row.key)
}

/** Rows of the history of offerings that no link holds yet. */
export async function newHistory(tx: Tx, offering_ids: readonly number[]): Promise<SealedRecord[]> {
  if (!offering_ids.length) return []
  const { rows } = await sql<{ key: string; content: unknown }>`
    with known as materialized (
      select x.offering_id, x.id from (${sql.raw(sealedHistory(`g.key = any('{${offering_ids.join(',')}}'::text[])`))}) x)
    select h.offering_id::text as key, json_agg(json_build_array(h.id, ${sql.raw(HISTORY_HASH)}) order by h.id) as content
    from registration_history h where h.offering_id = any(${[...offering_ids]}::int[])
      and (h.offering_id, h.id) not in (select offering_id, id from known)
    group by 1 order by 1`.execute(tx)
  return rows.map(({ key, content }) => sealed('history', key, content))
}
