/** Writes the new and changed rows of an import, portion by portion: each is whole, and is judged again when it is written. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { firstRow } from '#db/rows.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { takeSerials } from '#kit/server/unit/serials.ts'
import { applicationNumbers } from '#areas/admission/applicants/apply/apply.server.ts'
import { admissionState } from '#areas/admission/admissions/admissions/admission.server.ts'
import { countOutcomes, importOf, type ImportRecord } from './check.server.ts'
import { judgedRows, ROW_VALUES } from './rows/judge.server.ts'

/** Rows of a portion: written by one transaction. */
const PORTION = 5_000
/** Portions that are written at once. */
const AT_ONCE = 2
/** How often a portion is tried again that met another import of the same people. */
const TRIES = 5
const values = (alias: string) => sql.join(ROW_VALUES.map((name) => sql.ref(`${alias}.${name}`)))

/** SQL: the percentage of a total `t` of the certificate type `c`, rounded half up; postgraduates are ranked by their first degree. */
const percentage = (total: string, type: number) =>
  type === 1 || type === 3
    ? sql`case when ${sql.raw(total)} is not null then least(100, round(${sql.raw(total)} * 100 / c.max_total, 2)) end`
    : sql`null::numeric`

/** An admission takes applicants while it is open. It is held, so that it does not close within a portion. @throws {Refusal} 409 */
export async function requireOpen(tx: Tx, admission: number): Promise<{ proof: boolean }> {
  const { rows } = await sql<{
    state: string
    proof: boolean
  }>`select ${sql.raw(admissionState('a'))} as state, a.ministry_is_proof as proof
    from admissions a where a.id = ${admission} and a.removed_at is null for share`.execute(tx)
  const [found] = rows
  if (!found) throw refuse(422, 'not_found', {}, 'admission_id')
  if (found.state !== 'open')
    throw refuse(409, found.state === 'planned' ? 'applicant_import_not_yet' : 'applicant_import_closed')
  return found
}

/** Applications of rows that are still new, with their nomination, wishes and marks; one statement. */
async function insertNew(ctx: Ctx, tx: Tx, of: ImportRecord, proof: boolean, codes: readonly string[]): Promise<void> {
  const fee = sql`exists (select from admission_fees f where f.admission_id = ${of.admission.id} and f.fee = 'application'
    and (f.asked_of = 'all' or (f.asked_of = 'egyptian') = (r.nationality_id is not distinct from 64)))`
  await sql`with r as (select r.*, (${codes}::text[])[row_number() over (order by r.row)] as code
      from taken r join portion p on p.row = r.row and p.outcome = 'new'),
    made as (insert into applicants (code, admission_id, status, submitted_at, language, require_payment, percentage, ${sql.join(ROW_VALUES.map((name) => sql.ref(name)))})
      select r.code, ${of.admission.id}, ${proof ? 'SUBMITTED' : 'INCOMPLETE'}, ${proof ? sql`now()` : sql`null`}, 'ar', ${proof ? sql`false` : fee},
        ${percentage('r.certificate_total', of.admission.type)}, ${values('r')}
      from r left join certificate_types c on c.id = r.certificate_type_id order by r.row returning id, code),
    m as (select made.id, r.* from made join r on r.code = made.code),
    nominated as (insert into applicant_nominations (applicant_id, admission_id, ministry_number, person, email, fields, import_id)
      select m.id, ${of.admission.id}, m.ministry_number, m.person, m.ministry_email, ${fieldsOf('m')}, ${of.id} from m),
    wished as (insert into applicant_preferences (applicant_id, position, program_id)
      select m.id, w.place - 1, w.program_id from m, unnest(m.wishes) with ordinality as w (program_id, place)),
    marked as (insert into applicant_subjects (applicant_id, position, certificate_subject_id, mark)
      select m.id, s.place - 1, (s.one ->> 'certificate_subject_id')::int, (s.one ->> 'mark')::numeric
      from m, jsonb_array_elements(m.subjects) with ordinality as s (one, place)),
    begun as (insert into step_history (workflow, record_id, actor_id, impersonator_id, action, to_state)
      select 'applicant', m.id, ${ctx.actor?.user_id ?? null}, ${ctx.actor?.impersonator_id ?? null}, 'import', 'SUBMITTED' from m where ${proof})
    select count(*) from m`.execute(tx)
}

/** SQL: names of the fields that a row says, which are then not written by the applicant. */
const fieldsOf = (alias: string) =>
  sql`array_remove(array[${sql.join(
    ROW_VALUES.map((name) => sql`case when ${sql.ref(`${alias}.${name}`)} is not null then ${sql.lit(name)} end`),
  )}, case when ${sql.ref(`${alias}.wishes`)} is not null then 'preferences' end, case when ${sql.ref(`${alias}.subjects`)} is not null then 'subjects' end], null)`

/** Rows that change what they said before. What a row leaves empty stays. */
async function updateChanged(tx: Tx, of: ImportRecord): Promise<void> {
  const rows = sql`taken r join portion p on p.row = r.row and p.outcome = 'changed'`
  const set = sql.join(
    ROW_VALUES.map((name) => sql`${sql.ref(name)} = coalesce(${sql.ref(`r.${name}`)}, ${sql.ref(`a.${name}`)})`),
  )
  await sql`update applicants a set ${set},
      percentage = coalesce((select ${percentage('coalesce(r.certificate_total, a.certificate_total)', of.admission.type)} from certificate_types c
        where c.id = coalesce(r.certificate_type_id, a.certificate_type_id)), a.percentage)
    from ${rows} where a.id = p.applicant_id`.execute(tx)
  await sql`update applicant_nominations n set ministry_number = coalesce(r.ministry_number, n.ministry_number), email = coalesce(r.ministry_email, n.email),
      person = case when r.person like 'm:%' then n.person else r.person end, import_id = ${of.id},
      shown = n.shown and coalesce(r.ministry_email, n.email) is not distinct from n.email,
      fields = array(select distinct f from unnest(n.fields || ${fieldsOf('r')}) f order by f)
    from ${rows} where n.applicant_id = p.applicant_id`.execute(tx)
  const other = sql`r.wishes is distinct from array(select w.program_id from applicant_preferences w where w.applicant_id = p.applicant_id order by w.position)`
  await sql`create temporary table rewished on commit drop as select p.applicant_id, r.wishes from ${rows}
    where r.wishes is not null and ${other}`.execute(tx)
  await sql`delete from applicant_preferences w using rewished x where w.applicant_id = x.applicant_id`.execute(tx)
  await sql`insert into applicant_preferences (applicant_id, position, program_id) select x.applicant_id, w.place - 1, w.program_id
    from rewished x, unnest(x.wishes) with ordinality as w (program_id, place)`.execute(tx)
  await sql`drop table rewished`.execute(tx)
  const marks = sql`${rows}, jsonb_to_recordset(r.subjects) as s (certificate_subject_id int, mark numeric)`
  await sql`update applicant_subjects o set mark = s.mark from ${marks} where o.applicant_id = p.applicant_id
    and o.certificate_subject_id = s.certificate_subject_id and o.mark <> s.mark`.execute(tx)
  await sql`insert into applicant_subjects (applicant_id, position, certificate_subject_id, mark)
    select p.applicant_id, (select coalesce(max(o.position) + 1, 0) from applicant_subjects o where o.applicant_id = p.applicant_id)
        + row_number() over (partition by p.applicant_id order by s.certificate_subject_id) - 1, s.certificate_subject_id, s.mark
    from ${marks} where not exists (select from applicant_subjects o where o.applicant_id = p.applicant_id
      and o.certificate_subject_id = s.certificate_subject_id)`.execute(tx)
}

/** Divides the rows that are to be written into portions, unless that was done before. */
export async function divide(tx: Tx, id: number): Promise<void> {
  await sql`insert into applicant_import_portions (import_id, from_row, to_row)
    select ${id}, min(row), max(row) from (select row, (row_number() over (order by row) - 1) / ${PORTION}::int as portion
      from applicant_import_rows where import_id = ${id} and outcome in ('new', 'changed')) x
    where not exists (select from applicant_import_portions where import_id = ${id}) group by portion`.execute(tx)
}

/** The rows of a portion that are to be written. */
const rowsOf = (id: number, { from_row, to_row }: Portion) => sql`select * from applicant_import_rows
  where import_id = ${id} and row between ${from_row} and ${to_row} and outcome in ('new', 'changed')`
interface Portion {
  readonly from_row: number
  readonly to_row: number
}

/**
 * Writes one portion. Two that are written at once take other rows; two imports that bring the same people meet at the constraints
 * of their nominations, and the later one judges again.
 *
 * @param codes numbers of applications, as many as a portion may need
 * @returns rows that were done, also those that are something else by now; 0: none is left; null: there were not numbers enough
 */
async function savePortion(
  ctx: Ctx,
  tx: Tx,
  id: number,
  token: string,
  codes: readonly string[],
): Promise<number | null> {
  const of = await importOf(tx, id, token, sql`for share of i`)
  const { proof } = await requireOpen(tx, of.admission.id)
  const { rows: portions } = await sql<Portion>`select from_row, to_row from applicant_import_portions
    where import_id = ${id} and not done order by from_row limit 1 for update skip locked`.execute(tx)
  const [taken] = portions
  if (!taken) return 0
  // Names of many people are made searchable together.
  await sql`set local gin_pending_list_limit = '32MB'`.execute(tx)
  // Copied and counted: what the database knows of the rows of all imports is no measure of these.
  await sql`create temporary table taken on commit drop as ${rowsOf(id, taken)}`.execute(tx)
  await sql`analyze taken`.execute(tx)
  await sql`create temporary table portion on commit drop as ${judgedRows(ctx, sql`select * from taken`, of.admission, false)}`.execute(
    tx,
  )
  await sql`analyze portion`.execute(tx)
  const { rows } = await sql<{
    n: number
    fresh: number
    changed: number
  }>`select count(*)::int as n, (count(*) filter (where outcome = 'new'))::int as fresh,
    (count(*) filter (where outcome = 'changed'))::int as changed from portion`.execute(tx)
  const { n, fresh, changed } = firstRow(rows)
  // The portion for which they were taken was begun by the other one.
  if (fresh > codes.length) return null
  if (fresh) await insertNew(ctx, tx, of, proof, codes)
  if (changed) await updateChanged(tx, of)
  // What somebody else did meanwhile is told.
  if (fresh + changed < n)
    await sql`update applicant_import_rows o set outcome = p.outcome, errors = p.errors, applicant_id = coalesce(p.applicant_id, o.applicant_id)
      from portion p where o.import_id = ${id} and o.row = p.row and p.outcome <> p.seen`.execute(tx)
  await sql`update applicant_import_portions set done = true, saved = ${fresh + changed} where import_id = ${id} and from_row = ${taken.from_row}`.execute(
    tx,
  )
  return Math.max(1, n)
}

/** Whether a portion met another import of the same people. */
const met = (error: unknown): boolean => {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return (
    code === '40P01' || (code === '23505' && /^applicant_(?:nominated_once|ministry_number)$/.test(constraint ?? ''))
  )
}

/** Writes portions one after the other until none is left. */
async function savePortions(ctx: Ctx, id: number, token: string, done: (rows: number) => Promise<void>): Promise<void> {
  const reason = `import of applicants: ${id}`
  for (let tries = 0; ;) {
    try {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from applicant_import_rows r
        join (select from_row, to_row from applicant_import_portions where import_id = ${id} and not done order by from_row limit 1
          for share skip locked) p on r.row between p.from_row and p.to_row
        where r.import_id = ${id} and r.outcome = 'new'`.execute(ctx.db)
      // Numbers are taken by themselves, so that nobody waits for a portion to have the next one.
      const codes = await ctx.write((tx) => takeSerials(tx, applicationNumbers, firstRow(rows).n), { reason })
      const saved = await ctx.write(
        (tx) =>
          savePortion(
            ctx,
            tx,
            id,
            token,
            codes.map(({ text }) => text),
          ),
        { reason },
      )
      if (saved === 0) return
      tries = 0
      if (saved) await done(saved)
    } catch (error) {
      if (!met(error) || ++tries > TRIES) throw error
    }
  }
}

/** Saves what is left of an import. Begun again after its process died, it goes on with the next portion. */
export const saveApplicantsJob = defineJob({
  name: 'applicant-import-save',
  retries: 5,
  run: async (ctx, { id, token, rows }: { id: number; token: string; rows: number }, progress) => {
    const reason = `import of applicants: ${id}`
    let saved = 0
    const done = async (more: number) => {
      saved += more
      await progress((saved * 100) / Math.max(1, rows))
    }
    const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => savePortions(ctx, id, token, done)))
    for (const one of ended) if (one.status === 'rejected') throw one.reason
    return ctx.write(
      async (tx) => {
        const counts = await countOutcomes(tx, id)
        await sql`update applicant_imports set stage = 'saved', saved_at = now(), token = null, counts = ${JSON.stringify(counts)}::jsonb
          where id = ${id} and token = ${token}::uuid`.execute(tx)
        return { id, counts }
      },
      { reason },
    )
  },
})
