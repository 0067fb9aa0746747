/** Records that earlier imports brought and the bundle no longer has. */
import { sql } from 'kysely'
import { seatMask } from '#areas/common/academics/status.rules.ts'
import { keepTable, numbers, sample } from './staging.server.ts'
import type { ImportedKind, ImportRun } from './staging.server.ts'

const LIVE = sql.raw(`& ${seatMask} <> 0`)
/** Kinds that are removed with the bundle's consent, in this order; the others are only told. */
const REMOVED = [
  ['offering', 'offerings', 'offering_id'],
  ['course', 'courses', 'course_id'],
  ['student', 'students', 'student_id'],
  ['instructor', 'instructors', 'instructor_id'],
  ['user', 'users', 'user_id'],
] as const
const TOLD = [
  ['faculty', 'faculties', 'faculty_id'],
  ['department', 'departments', 'department_id'],
  ['year', 'years', 'year_id'],
  ['term', 'terms', 'term_id'],
] as const

/** A registration that stays when the enrolments that are gone have left. */
const stays = (column: string) =>
  sql`exists (select from registrations r where r.${sql.raw(column)} = t.id and (r.letter is not null or r.status ${LIVE}
    and not exists (select from registration_gone g where g.id = r.id and g.action in ('remove', 'drop'))))`
/** What keeps a record from being removed. */
const NEEDED: Readonly<Record<(typeof REMOVED)[number][0], ReturnType<typeof sql>>> = {
  offering: sql`t.control_status <> 'Draft' or ${stays('offering_id')}`,
  course: sql`exists (select from offerings o where o.course_id = t.id and o.removed_at is null
    and not exists (select from gone_offering g where g.id = o.id and g.reason is null))`,
  student: stays('student_id'),
  instructor: sql`exists (select from offering_instructors oi where oi.instructor_id = t.id
      and not exists (select from teaching_gone g where g.offering_id = oi.offering_id and g.instructor_id = oi.instructor_id))
    or exists (select from students s where s.advisor_id = t.id and s.removed_at is null)`,
  user: sql`exists (select from students s where s.user_id = t.id and s.removed_at is null
      and not exists (select from gone_student g where g.id = s.id and g.reason is null))
    or exists (select from instructors i where i.user_id = t.id and i.removed_at is null
      and not exists (select from gone_instructor g where g.id = i.id and g.reason is null))
    or t.is_root or t.is_super_admin`,
}

/** What would be removed, in tables `gone_KIND`. People and classes with results, or on whom others depend, are left. */
export async function planRemovals(run: ImportRun): Promise<void> {
  const { tx, source, counts } = run
  const gone = async (
    kind: ImportedKind,
    table: string,
    key: string,
    reason: ReturnType<typeof sql>,
    label: string,
  ): Promise<void> => {
    await keepTable(
      tx,
      `gone_${kind}`,
      sql`select t.id, e.external_id, ${sql.raw(label)} as label, ${reason} as reason
        from external_ids e join ${sql.table(table)} t on t.id = e.${sql.ref(key)}
        where e.source = ${source} and e.kind = ${kind} and e.removed_at is null and t.removed_at is null
          and not exists (select from ${sql.table(`m_${kind}`)} m where m.external_id = e.external_id)`,
    )
    const of = sql.table(`gone_${kind}`)
    const count = await numbers<{ gone: number; left: number }>(
      tx,
      sql`select count(*)::int as gone, count(reason)::int as left from ${of}`,
    )
    counts[kind].gone = count.gone
    counts[kind].left += count.left
    await sample(run, kind, 'gone', sql`select external_id, label from ${of} where reason is null order by id`)
    await sample(
      run,
      kind,
      'left',
      sql`select external_id, label, reason from ${of} where reason is not null order by id`,
    )
  }
  for (const [kind, table, key] of REMOVED)
    await gone(
      kind,
      table,
      key,
      sql`case when ${NEEDED[kind]} then 'roster_left_in_use' end`,
      kind === 'user' ? 't.name' : 't.code',
    )
  for (const [kind, table, key] of TOLD) await gone(kind, table, key, sql`'roster_left_structure'::text`, 't.code')
}

export interface Removals {
  /** Records and enrolments that would be removed. */
  readonly count: number
  /** Of the kind that loses the largest part, that part in percent, and which it is. */
  readonly percent: number
  readonly kind: ImportedKind | null
}

/** How much would be removed, counted by accounts, offerings, courses, enrolments and places in teams. */
export async function countRemovals({ tx, counts, source }: ImportRun): Promise<Removals> {
  const { rows } = await sql<{ kind: ImportedKind; removed: number }>`
    select 'offering' as kind, count(*)::int as removed from gone_offering where reason is null
    union all select 'course', count(*)::int from gone_course where reason is null
    union all select 'user', count(*)::int from gone_user where reason is null
    union all select 'registration', count(*)::int from registration_gone where action = 'remove'
    union all select 'teaching', count(*)::int from teaching_gone where action = 'remove'`.execute(tx)
  const known = await sql<{ kind: ImportedKind; n: number }>`
    select kind, count(*)::int as n from external_ids where source = ${source} and removed_at is null group by 1`.execute(
    tx,
  )
  const before = new Map(known.rows.map(({ kind, n }) => [kind, n]))
  let most: { percent: number; kind: ImportedKind | null } = { percent: 0, kind: null }
  for (const { kind, removed } of rows) {
    const of = Math.max(before.get(kind) ?? 0, counts[kind].gone, 1)
    const percent = Math.round((removed / of) * 1000) / 10
    if (percent > most.percent) most = { percent, kind }
  }
  return { count: rows.reduce((sum, { removed }) => sum + removed, 0), ...most }
}

/** Removes what may be removed. What comes back later is restored. */
export async function storeRemovals({ tx, source, counts }: ImportRun): Promise<void> {
  for (const [kind, table, key] of REMOVED) {
    const of = sql.table(`gone_${kind}`)
    await sql`update ${sql.table(table)} t set removed_at = now() from ${of} g where g.id = t.id and g.reason is null`.execute(
      tx,
    )
    await sql`update external_ids e set removed_at = now() from ${of} g
      where g.id = e.${sql.ref(key)} and g.reason is null and e.source = ${source} and e.kind = ${kind}`.execute(tx)
    counts[kind].removed =
      counts[kind].gone - (await numbers<{ n: number }>(tx, sql`select count(reason)::int as n from ${of}`)).n
  }
}
