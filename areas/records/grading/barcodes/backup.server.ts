/** Backup barcodes: made before the exam, put on a paper whose own is lost or damaged, and taken off again. */
import { randomBytes } from 'node:crypto'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { codeTyped, codeWritten } from '#kit/contract/papers.ts'
import { inLanguage, type PaperLanguage } from '#kit/contract/index.ts'
import { handle, peopleOf, type Ctx, type FileResult } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { searchCondition } from '#kit/server/resource/list.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { paperLang, tableFile, demandSome } from '#kit/server/resource/transfer.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { sql, type RawBuilder } from 'kysely'
import { statusData } from '../grades/read-grades.server.ts'
import { MOST_HOLDERS, backupCalls, type ExamBarcodes, type BackupHolder, type PaperChange } from './backup.contract.ts'
import { barcodeOf } from './barcode.rules.ts'
import { labelSheet, LISTED, manage, noteReading, owners, SPARE } from './barcodes.server.ts'
import { hasMarked, personOrNull } from './names.server.ts'

const OFFERING = sql`o.id, o.code, ${ref('c')} as course,
  case when a.offering_id is null then 'none' when a.opened_at is null then 'closed' else 'opened' end as names,
  coalesce(b.papers, 0)::int as papers, coalesce(b.backups, 0)::int as backups,
  (select count(*)::int from registrations r where r.offering_id = o.id and r.status & ${LISTED} <> 0
    and not exists (select from exam_barcode_owners w where w.registration_id = r.id)) as without,
  (select count(*)::int from exam_paper_changes k join registrations r on r.id = k.registration_id
    where k.offering_id = o.id and k.status = 'asked') as waiting`
const FROM = sql`offerings o join courses c on c.id = o.course_id left join anonymous_offerings a on a.offering_id = o.id
  left join lateral (select count(w.barcode_id) as papers, count(*) - count(w.barcode_id) as backups
    from exam_barcodes b left join exam_barcode_owners w on w.barcode_id = b.id where b.offering_id = o.id) b on true`

async function oneOf(db: Db | Tx, id: number): Promise<ExamBarcodes> {
  const { rows } = await sql<ExamBarcodes>`select ${OFFERING} from ${FROM} where o.id = ${id}`.execute(db)
  return firstRow(rows)
}

/** Offerings of a term that have a final exam to give barcodes for: the term of exams unless told. */
async function lookups(ctx: Ctx, term_id: number | undefined) {
  const { rows } = await sql<{
    term: BackupHolder['student'] | null
    terms: BackupHolder['student'][]
    offerings: ExamBarcodes[]
  }>`
    with at as (select coalesce(${term_id ?? null}::int, ${currentTermId('current_exam_term')}, ${currentTermId()}) as id),
    found as (select ${OFFERING} from ${FROM} where o.term_id = (select id from at) and o.removed_at is null
      and exists (select from offering_marks m join mark_categories k on k.id = m.mark_category_id
        where m.offering_id = o.id and k.is_final_exam)
      and ${scopeCondition(ctx, 'manage_barcodes', offeringReach(ctx, 'o'))})
    select (select ${ref('t')} from terms t where t.id = (select id from at)) as term,
      coalesce((select json_agg(${ref('t')} order by t.start_date desc) from terms t where t.removed_at is null), '[]') as terms,
      coalesce((select json_agg(f order by f.course->>'code', f.code) from found f), '[]') as offerings`.execute(ctx.db)
  return { data: firstRow(rows) }
}

/** Barcodes besides: on nobody's paper. Only where papers carry barcodes, and their names are closed. */
async function makeBackups(ctx: Ctx, id: number, count: number): Promise<ExamBarcodes> {
  return ctx.write(async (tx) => {
    await closed(ctx, tx, id)
    const codes = Array.from({ length: count }, () => barcodeOf(randomBytes(12))).sort()
    await sql`insert into exam_barcodes (offering_id, code) select ${id}::int, x from unnest(${codes}::text[]) x`.execute(
      tx,
    )
    return oneOf(tx, id)
  })
}

/** The offering, locked by who may handle its names, while they are closed. */
async function closed(ctx: Ctx, tx: Tx, id: number): Promise<void> {
  const row = await manage(ctx, tx, id)
  const course = row.course.code
  if (row.names !== 'closed') throw refuse(409, row.names === 'none' ? 'barcodes_none' : 'names_opened', { course })
  if (row.control_status !== 'Draft') throw refuse(409, 'control_status', statusData(row.control_status))
}

const HOLDER = sql`r.id as registration_id, ${ref('s')} as student,
  case when b.id is not null then json_build_object('id', b.id, 'code', b.code) end as barcode,
  exists (select from exam_paper_changes k where k.registration_id = r.id and k.status = 'asked') as waits`
const HOLDERS = sql`registrations r join students s on s.id = r.student_id
  left join exam_barcode_owners w on w.registration_id = r.id left join exam_barcodes b on b.id = w.barcode_id`
const holders = async (db: Db | Tx, condition: RawBuilder<unknown>): Promise<BackupHolder[]> =>
  (
    await sql<BackupHolder>`select ${HOLDER} from ${HOLDERS} where ${condition} order by s.code limit ${MOST_HOLDERS}`.execute(
      db,
    )
  ).rows

/** Whoever searches learns whose barcode is which: it is noted before anything is answered. */
const search = (ctx: Ctx, id: number, text: string): Promise<BackupHolder[]> =>
  ctx.write(async (tx) => {
    const row = await manage(ctx, tx, id)
    if (row.names === 'none') throw refuse(409, 'barcodes_none', { course: row.course.code })
    await noteReading(ctx, tx, id)
    return holders(
      tx,
      sql`r.offering_id = ${id} and (r.status & ${LISTED} <> 0 or b.id is not null)
        and (b.code = ${codeTyped(text)} or ${searchCondition(text, ['s.search_text']) ?? sql`false`})`,
    )
  })

/** Who has the barcode, as a refusal tells it. */
const studentData = (student: BackupHolder['student']) => ({
  student: `${student.code} ${student.name}`,
  student_local: `${student.code} ${student.name_local}`,
})

/**
 * Puts a backup barcode on the paper of a student; the one that was on it is on none then. A barcode that is, or ever was, on
 * the paper of somebody else, and a paper that is marked, stay as they are.
 */
async function attach(ctx: Ctx, registration_id: number, typed: string, reason: string): Promise<BackupHolder> {
  return ctx.write(async (tx) => {
    const { rows: known } = await sql<{ offering_id: number }>`select offering_id from registrations
      where id = ${registration_id}`.execute(tx)
    if (!known[0]) throw refuse(404, 'not_found')
    const { offering_id } = known[0]
    await closed(ctx, tx, offering_id)
    await noteReading(ctx, tx, offering_id)
    const code = codeTyped(typed)
    const { rows } = await sql<{ id: number }>`select id from exam_barcodes
      where code = ${code} and offering_id = ${offering_id}`.execute(tx)
    if (!rows[0]) throw refuse(422, 'barcode_unknown', { barcode: codeWritten(code) }, 'barcode')
    const barcode_id = rows[0].id
    const [used] = await holders(tx, sql`b.id = ${barcode_id}`)
    if (used && used.registration_id !== registration_id)
      throw refuse(409, 'barcode_used', { barcode: codeWritten(code), ...studentData(used.student) }, 'barcode')
    const own = await listed(tx, registration_id)
    if (used) return own
    await neverElsewhere(tx, { id: barcode_id, code }, registration_id)
    return ask(ctx, tx, { offering_id, own, to: barcode_id, reason })
  })
}

const detach = (ctx: Ctx, id: number, reason: string): Promise<BackupHolder> =>
  ctx.write(async (tx) => {
    const { rows } = await sql<{ offering_id: number }>`select offering_id from exam_barcodes where id = ${id}`.execute(
      tx,
    )
    if (!rows[0]) throw refuse(404, 'not_found')
    const { offering_id } = rows[0]
    await closed(ctx, tx, offering_id)
    await noteReading(ctx, tx, offering_id)
    const [own] = await holders(tx, sql`b.id = ${id}`)
    if (!own) throw refuse(404, 'not_found')
    return ask(ctx, tx, { offering_id, own, to: null, reason })
  })

/** A registration whose student sits the exam, with the barcode on the paper. */
async function listed(tx: Tx, registration_id: number): Promise<BackupHolder> {
  const [own] = await holders(tx, sql`r.id = ${registration_id} and r.status & ${LISTED} <> 0`)
  if (!own) throw refuse(404, 'not_found')
  return own
}

/** A barcode that was printed for, or was on, the paper of somebody else may still stick to it: it is not put on another. */
async function neverElsewhere(tx: Tx, barcode: { id: number; code: string }, registration_id: number): Promise<void> {
  const { rows } = await sql`select from exam_paper_moves
    where to_barcode_id = ${barcode.id} and registration_id <> ${registration_id} limit 1`.execute(tx)
  if (rows.length) throw refuse(409, 'barcode_of_another', { barcode: codeWritten(barcode.code) }, 'barcode')
}

/** A paper that is marked keeps its barcode. */
async function unmarked(tx: Tx, { barcode, student }: BackupHolder): Promise<void> {
  if (!barcode) return
  const { rows } = await sql<{ marked: boolean }>`select absent or mark is not null as marked from exam_barcodes
    where id = ${barcode.id} for update`.execute(tx)
  if (rows[0]?.marked) throw refuse(409, 'barcode_paper_marked', studentData(student))
}

/** Changes the barcode on a paper at once, or, where marking has begun, asks for it: then a second person confirms. */
async function ask(
  ctx: Ctx,
  tx: Tx,
  { offering_id, own, to, reason }: { offering_id: number; own: BackupHolder; to: number | null; reason: string },
): Promise<BackupHolder> {
  await unmarked(tx, own)
  // Whoever asks here holds the offering, so that nobody asks for the same in between.
  const { rows } = await sql<{ began: boolean; waits: boolean }>`select exam_marking_began(${offering_id}) as began,
    exists (select from exam_paper_changes where status = 'asked'
      and (registration_id = ${own.registration_id} or to_barcode_id = ${to})) as waits`.execute(tx)
  const { began, waits } = firstRow(rows)
  if (waits) throw refuse(409, 'paper_change_waits', studentData(own.student))
  // The reason stands with the change alone: the audit trail tells reasons to more people, and who writes one may name a barcode.
  await sql`insert into exam_paper_changes (offering_id, registration_id, from_barcode_id, to_barcode_id, reason, status, asked_by,
      really_asked_by, done_at)
    values (${offering_id}, ${own.registration_id}, ${own.barcode?.id ?? null}, ${to}, ${reason}, ${began ? 'asked' : 'done'},
      ${ctx.actor?.user_id ?? null}, ${ctx.actor?.impersonator_id ?? null}, case when ${began} then null else now() end)`.execute(
    tx,
  )
  if (!began) await move(tx, own, to)
  return (await holders(tx, sql`r.id = ${own.registration_id}`))[0]!
}

/** The barcode on a paper, as it was asked for: triggers write down what changed, and refuse what nobody asked for. */
async function move(tx: Tx, { registration_id, barcode }: BackupHolder, to: number | null): Promise<void> {
  if (to === null) await sql`delete from exam_barcode_owners where barcode_id = ${barcode!.id}`.execute(tx)
  else if (barcode)
    await sql`update exam_barcode_owners set barcode_id = ${to}, attached_at = now()
      where registration_id = ${registration_id}`.execute(tx)
  else
    await sql`insert into exam_barcode_owners (barcode_id, registration_id) values (${to}, ${registration_id})`.execute(
      tx,
    )
}

const CHANGES = sql`exam_paper_changes k join registrations r on r.id = k.registration_id join students s on s.id = r.student_id
  left join exam_barcodes f on f.id = k.from_barcode_id left join exam_barcodes b on b.id = k.to_barcode_id
  left join users u on u.id = k.asked_by`
/** Whether the reader asked for it, also when acting as somebody, or somebody as the reader. */
const ownChange = (ctx: Ctx) =>
  sql`coalesce(k.asked_by = any(${peopleOf(ctx)}::int[]) or k.really_asked_by = any(${peopleOf(ctx)}::int[]), false)`

/** What waits for a second person in an offering; who reads it learns whose barcode is which. */
const changes = (ctx: Ctx, offering_id: number): Promise<PaperChange[]> =>
  ctx.write(async (tx) => {
    await manage(ctx, tx, offering_id)
    const { rows } = await sql<PaperChange>`
      select k.id, k.registration_id, ${ref('s')} as student, k.reason, ${personOrNull('u')} as asked_by, k.asked_at,
        case when f.id is not null then json_build_object('id', f.id, 'code', f.code) end as "from",
        case when b.id is not null then json_build_object('id', b.id, 'code', b.code) end as "to", ${ownChange(ctx)} as own
      from ${CHANGES} where k.offering_id = ${offering_id} and k.status = 'asked' order by k.id`.execute(tx)
    if (rows.length) await noteReading(ctx, tx, offering_id)
    return rows
  })

/** What is decided about a change: the second person confirms it, or anybody who handles names here says no. */
const decide = (ctx: Ctx, id: number, no: string | null): Promise<BackupHolder> =>
  ctx.write(async (tx) => {
    const { rows: known } = await sql<{ offering_id: number }>`select offering_id from exam_paper_changes
      where id = ${id}`.execute(tx)
    if (!known[0]) throw refuse(404, 'not_found')
    const { offering_id } = known[0]
    await closed(ctx, tx, offering_id)
    const { rows } = await sql<{
      status: string
      own: boolean
      registration_id: number
      from_id: number | null
      to_id: number | null
      code: string | null
    }>`
      select k.status, ${ownChange(ctx)} as own, k.registration_id, k.from_barcode_id as from_id, k.to_barcode_id as to_id, b.code
      from ${CHANGES} where k.id = ${id}`.execute(tx)
    // Of a registration that is gone since there is nothing to decide.
    if (!rows[0]) throw refuse(404, 'not_found')
    const { status, own, registration_id, from_id, to_id, code } = rows[0]
    if (status !== 'asked') throw refuse(409, 'paper_change_decided')
    if (no === null && own) throw refuse(403, 'own_paper_change')
    await noteReading(ctx, tx, offering_id)
    const holder =
      no === null ? await listed(tx, registration_id) : (await holders(tx, sql`r.id = ${registration_id}`))[0]!
    if (no === null) {
      if ((holder.barcode?.id ?? null) !== from_id) throw refuse(409, 'paper_change_stale', studentData(holder.student))
      await unmarked(tx, holder)
      if (to_id !== null) await neverElsewhere(tx, { id: to_id, code: code! }, registration_id)
    }
    await sql`update exam_paper_changes set status = ${no === null ? 'done' : 'rejected'}, decided_by = ${ctx.actor?.user_id ?? null},
      really_decided_by = ${ctx.actor?.impersonator_id ?? null}, decided_reason = ${no}, done_at = now() where id = ${id}`.execute(
      tx,
    )
    if (no === null) await move(tx, holder, to_id)
    return (await holders(tx, sql`r.id = ${registration_id}`))[0]!
  })

/** Home of who handles names: changes of barcodes wait for a second person, who is not the one that asked. */
export const paperChangeWork: WorkSource = {
  permissions: ['manage_barcodes'],
  waiting: (ctx) => sql`
    select 'grading.work_paper_changes', jsonb_build_object('count', count(*), 'course', c.name, 'course_local', c.name_local),
      '/exams_barcodes?term_id=' || o.term_id || '&offering_id=' || o.id, min(k.asked_at), null::timestamptz
    from exam_paper_changes k join offerings o on o.id = k.offering_id join courses c on c.id = o.course_id
    where k.status = 'asked' and names_are_closed(o.id) and not ${ownChange(ctx)} and not ${hasMarked(ctx)}
      and ${scopeCondition(ctx, 'manage_barcodes', offeringReach(ctx, 'o'))} group by o.id, c.id`,
}

const TITLES = {
  all: ['Exam barcodes', 'باركود الامتحان'],
  backup: ['Backup barcodes', 'الباركود الاحتياطي'],
} as const
type Export = { offering_id: number; lang?: PaperLanguage | undefined; format: 'xlsx' | 'pdf' }

/** A sheet or labels of the barcodes of an exam: all of them, or those that are on no paper. */
async function exported(ctx: Ctx, body: Export, of: keyof typeof TITLES): Promise<FileResult> {
  const { row, rows: all } = await owners(ctx, body.offering_id)
  const rows = of === 'all' ? all : all.filter((one) => one.student === null)
  demandSome(rows)
  const lang = body.lang ?? paperLang(ctx)
  if (body.format === 'pdf') return labelSheet(ctx, row, rows, lang)
  const say = (en: string, ar: string) => inLanguage([en, ar], lang)
  return tableFile(
    ctx,
    {
      title: inLanguage(TITLES[of], lang),
      name: of === 'all' ? 'Barcodes.xlsx' : 'Backup Barcodes.xlsx',
      lang,
      columns: [
        { header: say('Barcode', 'الباركود'), type: 'text', text: (one: (typeof rows)[number]) => one.barcode },
        { header: say('Course', 'المقرر'), type: 'text', text: () => row.course.code ?? '' },
        ...(of === 'all'
          ? [
              {
                header: say('Student code', 'كود الطالب'),
                type: 'text' as const,
                text: (one: (typeof rows)[number]) => one.student?.code ?? '',
              },
              {
                header: say('Student', 'الطالب'),
                type: 'text' as const,
                text: ({ student }: (typeof rows)[number]) =>
                  student ? inLanguage([student.name, student.name_local], lang) : inLanguage(SPARE, lang),
              },
            ]
          : []),
      ],
      rows,
    },
    'xlsx',
  )
}

export const backupHandlers = [
  handle(backupCalls.lookups, (ctx, { query }) => lookups(ctx, query.term_id)),
  handle(backupCalls.generate, async (ctx, { body }) => ({
    data: await makeBackups(ctx, body.offering_id, body.count),
  })),
  handle(backupCalls.search, async (ctx, { body }) => ({ data: await search(ctx, body.offering_id, body.text) })),
  handle(backupCalls.attach, async (ctx, { body }) => ({
    data: await attach(ctx, body.registration_id, body.barcode, body.reason),
  })),
  handle(backupCalls.detach, async (ctx, { params, body }) => ({ data: await detach(ctx, params.id, body.reason) })),
  handle(backupCalls.changes, async (ctx, { params }) => ({ data: await changes(ctx, params.offering_id) })),
  handle(backupCalls.confirm, async (ctx, { params }) => ({ data: await decide(ctx, params.id, null) })),
  handle(backupCalls.reject, async (ctx, { params, body }) => ({ data: await decide(ctx, params.id, body.reason) })),
  handle(backupCalls.exportBarcodes, (ctx, { body }) => exported(ctx, body, 'all')),
  handle(backupCalls.exportBackups, (ctx, { body }) => exported(ctx, body, 'backup')),
]
