/** Exam papers that are marked by barcode: nobody who marks learns a name, nobody who has seen the names marks. */
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'

import { parseHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Db, Tx } from '#db/connect.ts'
import { dayOf } from '#kit/contract/day.ts'
import { codeTyped, codeWritten } from '#kit/contract/papers.ts'
import { inLanguage, type PaperLanguage } from '#kit/contract/index.ts'
import { handle, peopleOf, type Ctx, type FileResult } from '#kit/server/base/context.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import { renderPaper } from '#kit/server/papers/papers.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { sql, type RawBuilder } from 'kysely'
import { readMark } from '../grading.rules.ts'
import { mayEnterMarks } from '../guard.rules.ts'
import { actOn } from '../guard.server.ts'
import { computeRegistrationGrades } from '../grades/compute.server.ts'
import { maskOf, markedMains, takesMarks } from '../grades/grades.rules.ts'
import { entryWindow, statusData } from '../grades/read-grades.server.ts'
import { plainMark } from '../grades/marks.server.ts'
import { barsOf, barcodeOf } from './barcode.rules.ts'
import { barcodeCalls, type BarcodeOffering, type ExamPaper, type PaperEvent } from './barcodes.contract.ts'
import { hasMarked, knowsNames, personOrNull } from './names.server.ts'

registerTemplate('exam-labels', fileURLToPath(new URL('./labels.typ', import.meta.url)))

interface Row extends Omit<BarcodeOffering, 'rows' | 'abilities' | 'missing'> {
  removed: boolean
  may_mark: boolean
  by_scope: boolean
  may_manage: boolean
  has_marked: boolean
  knows_names: boolean
  window: { open: boolean; starts_at: string; ends_at: string } | null
  /** Of the final exam in its scheme. */
  final_id: number | null
}

export const LISTED = sql.raw(maskOf(markedMains))

async function read(
  ctx: Ctx,
  db: Db | Tx,
  id: number,
  access: PermissionKey | readonly PermissionKey[],
  lock: RawBuilder<unknown> = sql``,
): Promise<Row> {
  const reach = offeringReach(ctx, 'o')
  const { taught: _taught, ...byScope } = reach
  const { rows } = await sql<Row>`
    select o.id, o.code, ${ref('c')} as course, ${ref('t')} as term, o.control_status, o.removed_at is not null as removed,
      case when a.offering_id is null then 'none' when a.opened_at is null then 'closed' else 'opened' end as names,
      f.max::text as max, f.id as final_id, ${entryWindow} as window,
      (select count(*)::int from exam_barcodes b where b.offering_id = o.id
        and exists (select from exam_barcode_owners w where w.barcode_id = b.id)) as papers,
      (select count(*)::int from exam_barcodes b where b.offering_id = o.id and (b.absent or b.mark is not null)) as marked,
      ${scopeCondition(ctx, 'mark_by_barcode', reach)} as may_mark,
      ${scopeCondition(ctx, 'mark_by_barcode', byScope)} as by_scope,
      ${scopeCondition(ctx, 'manage_barcodes', reach)} as may_manage,
      ${hasMarked(ctx)} as has_marked, ${knowsNames(ctx)} as knows_names
    from offerings o join courses c on c.id = o.course_id join terms t on t.id = o.term_id
      left join anonymous_offerings a on a.offering_id = o.id
      left join lateral (select m.id, m.max from offering_marks m join mark_categories k on k.id = m.mark_category_id
        where m.offering_id = o.id and k.is_final_exam order by m.id limit 1) f on true
    where o.id = ${id} and ${scopeCondition(ctx, access, reach)} ${lock}`.execute(db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}
const LOCK = sql`for no key update of o`
const REMOVED = (row: Row) => {
  if (row.removed) throw refuse(409, 'removed_record')
}

/** Why this person marks no paper here; null: may. */
function against(row: Row): { status: number; code: string; data?: Record<string, unknown> } | null {
  const course = row.course.code ?? ''
  if (row.names !== 'closed')
    return { status: 409, code: row.names === 'none' ? 'barcodes_none' : 'names_opened', data: { course } }
  if (row.knows_names) return { status: 403, code: 'barcodes_seen', data: { course } }
  const editor = row.by_scope ? 'control' : 'instructor'
  if (!mayEnterMarks(row.control_status, editor))
    return { status: 409, code: 'control_status', data: statusData(row.control_status) }
  if (editor === 'instructor' && row.window && !row.window.open)
    return {
      status: 409,
      code: 'grade_entry_closed',
      data: { starts_at: row.window.starts_at, ends_at: row.window.ends_at },
    }
  return null
}

const countsOf = ({ papers, marked }: Pick<Row, 'papers' | 'marked'>) => ({
  papers,
  marked,
  missing: Math.max(0, papers - marked),
})
const PAPER = sql`b.code, case when b.absent then 'A' else trim_scale(b.mark)::text end as mark, b.version`

async function show(ctx: Ctx, db: Db | Tx, id: number): Promise<BarcodeOffering> {
  const row = await read(ctx, db, id, ['mark_by_barcode', 'manage_barcodes'])
  const marks = row.may_mark && !row.removed && against(row) === null
  const { rows } = marks
    ? await sql<ExamPaper>`select ${PAPER} from exam_barcodes b where b.offering_id = ${id} and (b.absent or b.mark is not null)
        order by b.code`.execute(db)
    : { rows: [] }
  const { code, course, term, control_status, names, max } = row
  const draft = row.may_manage && !row.removed && control_status === 'Draft'
  // Whoever marked here learns the names with everybody else.
  const apart = row.may_manage && !row.has_marked
  return {
    id,
    code,
    course,
    term,
    control_status,
    names,
    max: max === null ? null : trimHundredths(parseHundredths(max) ?? 0),
    ...countsOf(row),
    rows,
    abilities: [
      ...(marks ? (['mark'] as const) : []),
      ...(draft && apart && names !== 'opened' && max !== null ? (['generate'] as const) : []),
      ...(apart && names !== 'none' ? (['names', 'labels'] as const) : []),
      ...(draft && apart && names === 'closed' ? (['open'] as const) : []),
      ...(row.may_manage && names === 'opened' ? (['history'] as const) : []),
    ],
  }
}

/** Puts a mark on a paper. A paper that has one already is told, and stays; so is a code that is on no paper here. */
async function mark(ctx: Ctx, id: number, body: { barcode: string; mark: string | null; version: number | null }) {
  return ctx.write(async (tx) => {
    const row = await read(ctx, tx, id, 'mark_by_barcode', LOCK)
    REMOVED(row)
    const problem = against(row)
    if (problem) throw refuse(problem.status, problem.code, problem.data)
    const code = codeTyped(body.barcode)
    const { rows } = await sql<
      Omit<ExamPaper, 'mark'> & { mark: string | null; free: boolean; id: number; stands: boolean }
    >`
      select b.id, ${PAPER}, b.absent or b.mark is not null as stands, not exists (
        select from exam_barcode_owners w where w.barcode_id = b.id) as free
      from exam_barcodes b where b.code = ${code} and b.offering_id = ${id} for update of b`.execute(tx)
    const [found] = rows
    // Of another offering, or of none: the same answer.
    if (!found) throw refuse(422, 'barcode_unknown', { barcode: codeWritten(code) }, 'barcode')
    if (found.free) throw refuse(409, 'barcode_free', { barcode: found.code }, 'barcode')
    if ((found.stands ? found.version : null) !== body.version)
      throw refuse(
        409,
        'barcode_twice',
        { barcode: found.code, mark: found.mark ?? '–', version: found.version },
        'barcode',
      )
    const wanted = readMark(plainMark(body.mark ?? ''), parseHundredths(row.max ?? '0') ?? 0)
    if ('problem' in wanted) throw refuse(422, wanted.problem.code, wanted.problem.data, 'mark')
    const empty = wanted.mark === null
    const { rows: kept } = await sql<Omit<ExamPaper, 'mark'> & { mark: string | null }>`
      update exam_barcodes b set mark = ${typeof wanted.mark === 'number' ? trimHundredths(wanted.mark) : null}::numeric,
        absent = ${wanted.mark === 'A'}, marked_by = ${empty ? null : (ctx.actor?.user_id ?? null)}::int, version = b.version + 1
      where b.id = ${found.id} returning ${PAPER}`.execute(tx)
    const now = await read(ctx, tx, id, 'mark_by_barcode')
    const [{ mark: stands, ...paper }] = kept as [(typeof kept)[number]]
    return { data: stands === null ? null : { ...paper, mark: stands }, ...countsOf(now) }
  })
}

/** What managers do among themselves: whoever has marked a paper here is not one of them. */
export async function manage(ctx: Ctx, tx: Tx, id: number): Promise<Row> {
  const row = await read(ctx, tx, id, 'manage_barcodes', LOCK)
  REMOVED(row)
  if (row.has_marked) throw refuse(403, 'barcodes_marked', { course: row.course.code })
  return row
}
/** From now on these people mark nothing here. */
export const noteReading = (ctx: Ctx, tx: Tx, id: number) =>
  sql`insert into exam_name_readers (offering_id, read_by)
  select ${id}::int, p from unnest(${peopleOf(ctx)}::int[]) p on conflict do nothing`.execute(tx)

/** Gives each registration a barcode that has none, drawn by chance; from the first on the papers are marked without names. */
async function generate(ctx: Ctx, id: number, spare: number): Promise<void> {
  await ctx.write(async (tx) => {
    const row = await manage(ctx, tx, id)
    if (row.control_status !== 'Draft') throw refuse(409, 'control_status', statusData(row.control_status))
    if (row.names === 'opened') throw refuse(409, 'names_opened', { course: row.course.code })
    if (row.final_id === null) throw refuse(409, 'scheme_missing')
    const { rows: entered } = await sql<{ count: number }>`select count(*)::int as count from registration_marks
      where offering_mark_id = ${row.final_id}`.execute(tx)
    if (entered[0]!.count) throw refuse(409, 'final_marks_entered', { count: entered[0]!.count })
    const { rows } = await sql<{ id: number }>`select r.id from registrations r where r.offering_id = ${id}
      and r.status & ${LISTED} <> 0 and not exists (select from exam_barcode_owners w where w.registration_id = r.id)`.execute(
      tx,
    )
    const wanted: (number | null)[] = [...rows.map((one) => one.id), ...Array.from({ length: spare }, () => null)]
    // In the order of their codes, which is chance: ids tell nothing of the order of students.
    const given = wanted
      .map((registration_id) => ({ registration_id, code: barcodeOf(randomBytes(12)) }))
      .sort((a, b) => (a.code < b.code ? -1 : 1))
    await sql`insert into anonymous_offerings (offering_id, started_by) values (${id}, ${ctx.actor?.user_id ?? null})
      on conflict do nothing`.execute(tx)
    await sql`with given as (select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as n (registration_id int, code text)),
        made as (insert into exam_barcodes (offering_id, code) select ${id}::int, code from given order by code returning id, code)
      insert into exam_barcode_owners (barcode_id, registration_id)
      select m.id, g.registration_id from made m join given g using (code) where g.registration_id is not null`.execute(
      tx,
    )
    await noteReading(ctx, tx, id)
  })
}

interface Owner {
  barcode: string
  student: { id: number; code: string; name: string; name_local: string } | null
}
/** Whose barcode is which, in the order of students; who reads it marks nothing here. */
export const owners = (ctx: Ctx, id: number): Promise<{ row: Row; rows: Owner[] }> =>
  ctx.write(async (tx) => {
    const row = await manage(ctx, tx, id)
    if (row.names === 'none') throw refuse(409, 'barcodes_none', { course: row.course.code })
    await noteReading(ctx, tx, id)
    const { rows } = await sql<Owner>`
      select b.code as barcode, case when s.id is not null then json_build_object('id', s.id, 'code', s.code, 'name', s.name,
        'name_local', s.name_local) end as student
      from exam_barcodes b left join exam_barcode_owners w on w.barcode_id = b.id
        left join registrations r on r.id = w.registration_id left join students s on s.id = r.student_id
      where b.offering_id = ${id} order by s.code nulls last, b.code`.execute(tx)
    return { row, rows }
  })

const nameIn = (one: { name: string; name_local?: string | null }, lang: PaperLanguage) =>
  inLanguage([one.name, one.name_local ?? one.name], lang)
/** What a barcode without an owner is called. */
export const SPARE = ['Spare', 'احتياطي'] as const

/** Sheets of labels for these barcodes. */
export async function labelSheet(
  ctx: Ctx,
  { course }: Pick<BarcodeOffering, 'course'>,
  rows: readonly Owner[],
  lang: PaperLanguage,
): Promise<FileResult> {
  const content = await renderPaper({
    template: 'exam-labels',
    data: {
      title: `${course.code} ${nameIn(course, lang)}`,
      lang,
      university: await universityHead(ctx),
      labels: rows.map(({ barcode, student }) => ({
        ...barsOf(barcode),
        written: codeWritten(barcode),
        student: student?.code ?? '',
        name: student ? nameIn(student, lang) : inLanguage(SPARE, lang),
      })),
    },
    tags: false,
    created: new Date(),
  })
  return { name: fileName('pdf', course.code ?? '', 'Barcodes', dayOf()), type: 'pdf', content }
}
async function labels(ctx: Ctx, id: number, lang: PaperLanguage): Promise<FileResult> {
  const { row, rows } = await owners(ctx, id)
  return labelSheet(ctx, row, rows, lang)
}

/**
 * Opens the names: each mark goes to the registration whose paper it is on, entered by who marked it. What its student can
 * take no more is told to control, and left.
 */
async function open(ctx: Ctx, id: number) {
  return ctx.write(async (tx) => {
    const row = await manage(ctx, tx, id)
    if (row.names !== 'closed')
      throw refuse(409, row.names === 'none' ? 'barcodes_none' : 'names_opened', { course: row.course.code })
    if (row.control_status !== 'Draft') throw refuse(409, 'control_status', statusData(row.control_status))
    const { rows: waiting } = await sql<{ count: number }>`select count(*)::int as count from exam_paper_changes k
      where k.offering_id = ${id} and k.status = 'asked' and exists (select from registrations r where r.id = k.registration_id)`.execute(
      tx,
    )
    if (waiting[0]!.count) throw refuse(409, 'paper_changes_wait', { count: waiting[0]!.count })
    await sql`update anonymous_offerings set opened_at = now(), opened_by = ${ctx.actor?.user_id ?? null}
      where offering_id = ${id}`.execute(tx)
    await noteReading(ctx, tx, id)
    const { rows } = await sql<{
      barcode: string
      mark: string | null
      registration_id: number
      status: string
      student: NonNullable<Owner['student']>
    }>`
      select b.code as barcode, case when b.absent then 'A' else trim_scale(b.mark)::text end as mark, r.id as registration_id, r.status,
        json_build_object('id', s.id, 'code', s.code, 'name', s.name, 'name_local', s.name_local) as student
      from exam_barcodes b join exam_barcode_owners w on w.barcode_id = b.id
        join registrations r on r.id = w.registration_id join students s on s.id = r.student_id
      where b.offering_id = ${id} order by s.code`.execute(tx)
    const takes = (one: { status: string }) => takesMarks(BigInt(one.status))
    const taken = rows.filter((one) => one.mark !== null && takes(one)).map((one) => one.registration_id)
    if (taken.length) {
      await actOn(tx, null)
      await sql`insert into registration_marks (registration_id, offering_mark_id, mark, absent, entered_by)
        select w.registration_id, ${row.final_id}::int, b.mark, b.absent, b.marked_by
        from exam_barcodes b join exam_barcode_owners w on w.barcode_id = b.id
        where w.registration_id = any(${taken}::int[]) order by w.registration_id`.execute(tx)
      await computeRegistrationGrades(tx, taken)
    }
    return {
      data: {
        taken: taken.length,
        left: rows
          .filter((one) => one.mark !== null && !takes(one))
          .map(({ barcode, mark: left, student }) => ({ barcode, mark: left!, student })),
        missing: rows.filter((one) => one.mark === null && takes(one)).map(({ student }) => student),
      },
    }
  })
}

/**
 * What happened to the barcodes of an offering, from the first that was given out: who put which on whose paper, when, why, and
 * who confirmed it. Nobody is told before the names are open.
 */
async function history(ctx: Ctx, id: number): Promise<PaperEvent[]> {
  const row = await read(ctx, ctx.db, id, 'manage_barcodes')
  const course = row.course.code ?? ''
  if (row.names !== 'opened') throw refuse(409, row.names === 'none' ? 'barcodes_none' : 'names_closed', { course })
  const { rows } = await sql<PaperEvent>`
    with told as (
      select m.at, m.id, case when m.printed then 'printed' when m.to_barcode_id is null then case when m.change_id is null then 'gone' else 'detached' end
          when m.from_barcode_id is null then 'attached' else 'replaced' end as what, m.registration_id, m.student_id,
        m.from_barcode_id, m.to_barcode_id, k.reason, case when m.change_id is null then m.actor_id else k.asked_by end as by_id,
        case when m.change_id is null then m.impersonator_id else k.really_asked_by end as really_by_id,
        k.decided_by, k.decided_reason
      from exam_paper_moves m left join exam_paper_changes k on k.id = m.change_id where m.offering_id = ${id}
      union all
      select coalesce(k.done_at, k.asked_at), null, 'rejected', k.registration_id, null, k.from_barcode_id, k.to_barcode_id, k.reason, k.asked_by,
        k.really_asked_by, k.decided_by, k.decided_reason
      from exam_paper_changes k where k.offering_id = ${id} and k.status <> 'done'
      union all
      select a.started_at, 0, 'closed', null, null, null, null, null, a.started_by, null, null, null
      from anonymous_offerings a where a.offering_id = ${id}
      union all
      select a.opened_at, null, 'opened', null, null, null, null, null, a.opened_by, null, null, null
      from anonymous_offerings a where a.offering_id = ${id})
    select t.at, t.what, case when s.id is not null then json_build_object('id', s.id, 'code', s.code, 'name', s.name,
        'name_local', s.name_local) end as student, f.code as "from", b.code as "to", t.reason, ${personOrNull('u')} as by,
      ${personOrNull('i')} as really_by, ${personOrNull('d')} as decided_by, t.decided_reason
    from told t left join registrations r on r.id = t.registration_id left join students s
        on s.id = coalesce(r.student_id, t.student_id, (select max(m.student_id) from exam_paper_moves m where m.registration_id = t.registration_id))
      left join exam_barcodes f on f.id = t.from_barcode_id left join exam_barcodes b on b.id = t.to_barcode_id
      left join users u on u.id = t.by_id left join users i on i.id = t.really_by_id left join users d on d.id = t.decided_by
    order by t.at, t.id nulls last, s.code`.execute(ctx.db)
  return rows
}

export const barcodeHandlers = [
  handle(barcodeCalls.show, async (ctx, { params }) => ({ data: await show(ctx, ctx.db, params.id) })),
  handle(barcodeCalls.mark, (ctx, { params, body }) => mark(ctx, params.id, body)),
  handle(barcodeCalls.students, async (ctx, { params }) => ({ data: (await owners(ctx, params.offering_id)).rows })),
  handle(barcodeCalls.generate, async (ctx, { params, body }) => {
    await generate(ctx, params.id, body.spare)
    return { data: await show(ctx, ctx.db, params.id) }
  }),
  handle(barcodeCalls.labels, (ctx, { params }) => labels(ctx, params.id, params.lang)),
  handle(barcodeCalls.open, (ctx, { params }) => open(ctx, params.id)),
  handle(barcodeCalls.history, async (ctx, { params }) => ({ data: await history(ctx, params.id) })),
]
