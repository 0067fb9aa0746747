/** Issued certificates as files: printed at the desk, looked at in the office, opened by who asked. */
import { ASKER_ACCOUNT, ASKERS, reachedAsker, type Asker } from '#areas/money/ledger/askers.server.ts'
import { firstRow } from '#db/rows.ts'
import { inLanguage } from '#kit/contract/index.ts'
import type { Label, PaperLanguage } from '#kit/contract/index.ts'
import { dayOf } from '#kit/contract/day.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { handle, peopleOf, type Ctx, type FileResult, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { hear } from '#kit/server/base/hears.ts'
import { paperFile, papersOnTheirWay, papersWithheld } from '#kit/server/papers/papers.ts'
import { stampPdf } from '#kit/server/papers/stamp.ts'
import { sql } from 'kysely'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { stateRefused, UNPAID } from './chain.server.ts'
import { CERTIFICATE_SEES } from './asker.server.ts'
import { paperSubjectOf } from './contents.server.ts'
import { certificateCalls } from './certificate.contract.ts'
import { certificatePapers } from './paper.contract.ts'
import { checkPrint, nextPrint, PRINTED_IN, type PrintFacts } from './certificate.rules.ts'

const WORDS = {
  copy: ['Copy', 'نسخة'],
  of: ['of', 'من'],
  office: ['For the office, not to be handed over', 'للاطلاع داخل المكتب ولا تُسلَّم'],
} as const satisfies Record<string, Label>

/** The file of a paper among those of who asked. */
function fileOf(ctx: Ctx, asker: Asker, paper: number): Promise<FileResult> {
  const { id, ...of } = paperSubjectOf(asker)
  return paperFile(ctx, of, id, paper)
}

/** The file with a line over its pages. */
async function stamped(file: FileResult, lang: PaperLanguage, text: string): Promise<FileResult> {
  const content = file.content instanceof Readable ? await buffer(file.content) : file.content
  return { ...file, content: await stampPdf(Buffer.from(content), { lang, text }) }
}

/** The next printing of a paper, counted: the original as it was issued, or a copy that carries its number. */
async function print(ctx: Ctx, id: number, paper: number, reason: string | null): Promise<FileResult> {
  const { file, lang, serial, number, original } = await ctx.write(
    async (tx) => {
      // Held before it is counted: two clerks print one after the other, and no original twice.
      await sql`select from certificates where id = ${id} for update`.execute(tx)
      const { rows } = await sql<PrintFacts & Asker & { lang: PaperLanguage; serial: string }>`
        select t.status, t.copies, t.student_id, t.staff_id, q.lang, q.serial, ${sql.raw(UNPAID)} as unpaid,
          case when q.revoked_at is not null then 'revoked' when q.replaced_by is not null then 'replaced'
            when q.valid_until < university_today() then 'expired' else 'valid' end as state,
          (select count(*)::int from certificate_prints z where z.paper_id = q.id) as printed
        from certificates t ${ASKERS}
          join certificate_papers k on k.certificate_id = t.id join papers q on q.id = k.paper_id
        where t.id = ${id} and k.paper_id = ${paper} and t.removed_at is null and ${reachedAsker(ctx, ['edit_certificate'])}`.execute(
        tx,
      )
      const [row] = rows
      if (!row) throw refuse(409, 'certificate_no_paper')
      if (!PRINTED_IN.includes(row.status)) throw stateRefused(row.status)
      const reasons = checkPrint(row, reason)
      if (reasons.length) throw new Refusal(reasons.some(({ field }) => field) ? 422 : 409, reasons)
      const { rows: made } = await sql<{ number: number; original: boolean }>`
        insert into certificate_prints (certificate_id, paper_id, reason, printed_by)
        values (${id}, ${paper}, ${nextPrint(row).original ? null : reason}, ${ctx.actor?.user_id ?? null}) returning number, original`.execute(
        tx,
      )
      // A file that cannot be read costs no original: the count goes with it.
      return { ...row, ...firstRow(made), file: await fileOf(ctx, row, paper) }
    },
    reason === null ? {} : { reason },
  )
  if (original) return file
  const [copy, of] = [inLanguage(WORDS.copy, lang), inLanguage(WORDS.of, lang)]
  return stamped(file, lang, `${copy} ${number} ${of} ${serial} · ${dayOf()}`)
}

/** A paper as its file is looked at: as it was issued by who asked, once it is released; in the office never as an original. */
async function open(ctx: Ctx, id: number, paper: number): Promise<FileResult> {
  const office = ctx.can('edit_certificate', 'decide_certificate', 'sign_certificate')
  // Who works in the office has the own one as everybody has it.
  const { rows } = await sql<Asker & { lang: PaperLanguage; own: boolean }>`
    select t.student_id, t.staff_id, q.lang, coalesce(${ASKER_ACCOUNT} = any(${[...peopleOf(ctx)]}::int[]), false) as own from certificates t ${ASKERS}
      join certificate_papers k on k.certificate_id = t.id join papers q on q.id = k.paper_id
    where t.id = ${id} and k.paper_id = ${paper} and t.removed_at is null and ${reachedAsker(ctx, CERTIFICATE_SEES)}
      -- What is handed over on paper is not printed twice.
      and (t.status = 'Delivered' or (${office} and not coalesce(${ASKER_ACCOUNT} = any(${[...peopleOf(ctx)]}::int[]), false)))`.execute(
    ctx.db,
  )
  const [row] = rows
  if (!row) throw refuse(409, 'certificate_no_paper')
  const file = await fileOf(ctx, row, paper)
  return office && !row.own ? stamped(file, row.lang, inLanguage(WORDS.office, row.lang)) : file
}

/** Among the papers of a student, the file of a certificate is opened once it is released as one: before, and on paper, it is the desk's. */
export const withheldCertificates = hear(papersWithheld, async (ctx, ids) => {
  const { rows } = await sql<{ id: number; code: string }>`
    select k.paper_id as id, case when t.delivery = 'electronic' then 'paper_not_released' else 'paper_by_hand' end as code
    from certificate_papers k join certificates t on t.id = k.certificate_id
    where k.paper_id = any(${[...ids]}::int[]) and t.status <> 'Delivered'`.execute(ctx.db)
  return new Map(rows.map(({ id, code }): [number, Reason] => [id, { code }]))
})

/** What a type has signed is issued on its way alone, unless a type of the same record says that the desk may issue it at once. */
export const certificatesOnTheirWay = hear(papersOnTheirWay, async (ctx, subject) => {
  if (subject !== certificatePapers.subject) return new Map()
  const { rows } = await sql<{ document: string; name: string; name_local: string }>`
    select distinct on (t.document) t.document, t.name, t.name_local from certificate_settings t
    where t.document <> 'text' and t.is_active and t.removed_at is null
      and exists (select from certificate_setting_signers s where s.type_id = t.id)
      and not exists (select from certificate_settings o where o.document = t.document and o.desk_at_once and o.is_active and o.removed_at is null)
    order by t.document, t.id`.execute(ctx.db)
  return new Map(
    rows.map(({ document, name, name_local }): [string, Reason] => [
      document,
      { code: 'paper_is_signed', data: { type: name, type_local: name_local, link: '/certificates/add' } },
    ]),
  )
})

export const printedHandlers: readonly Handled[] = [
  handle(certificateCalls.paper, (ctx, { params: { id, paper } }) => open(ctx, id, paper)),
  handle(certificateCalls.print, (ctx, { params: { id, paper }, body: { reason } }) =>
    print(ctx, id, paper, reason ?? null),
  ),
]
