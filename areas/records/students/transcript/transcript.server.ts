import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import { dayOf } from '#kit/contract/day.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, FileResult, Handled } from '#kit/server/base/context.ts'
import type { PaperLanguage } from '#kit/contract/index.ts'
import { refuse } from '#kit/server/base/errors.ts'
import {
  issuePaper,
  paperFile,
  refuseAtOnce,
  refuseWithheld,
  renderPaper,
  servePapers,
} from '#kit/server/papers/papers.ts'
import { students } from '../student/student.server.ts'
import { composeTranscript } from './compose.server.ts'
import { prepareCertificate } from './certificate.server.ts'
import { studentPapers, transcriptCalls } from './transcript.contract.ts'
import type { IssuedTranscript } from './transcript.contract.ts'

/** Prints a transcript. Printing it is kept, with the serial that stands on its pages. */
async function transcript(ctx: Ctx, id: number, lang: PaperLanguage, all: boolean): Promise<FileResult> {
  const own = ctx.actor?.student_id === id && !ctx.can('print_transcript')
  if (all && own) throw refuse(403, 'not_allowed')
  await refuseHeld(ctx, id, own)
  const composed = await composeTranscript(
    ctx,
    { id, access: own ? 'access_student' : 'print_transcript', staff: !own },
    lang,
    { all, kind: own ? 'own' : 'print' },
  )
  // The serial is kept before the paper exists: a paper without trace must not be.
  const year = new Date().getFullYear()
  const { serial, issued_at } = await ctx.write(async (tx) => {
    const { rows } = await sql<{ serial: string; issued_at: string }>`
      insert into transcripts (student_id, lang, all_results, serial, courses, gpa, passed_hours, issued_by)
      values (${id}, ${lang}, ${all}, ${`T-${year}-`} || lpad(nextval('transcript_number')::text, 6, '0'), ${composed.courses},
        ${composed.gpa}, ${composed.passed_hours}, ${ctx.actor?.user_id ?? null})
      returning serial, issued_at`.execute(tx)
    return firstRow(rows)
  })
  return {
    name: 'Transcript.pdf',
    type: 'pdf',
    content: await renderPaper(composed.compose(serial, issued_at, dayOf(issued_at))),
  }
}

/** While a debt holds papers none is made, nor what a student prints while it holds results. The database says so too. */
async function refuseHeld(ctx: Ctx, id: number, own: boolean): Promise<void> {
  const { rows } = await sql<{ results: boolean; certificates: boolean }>`
    select results_held(${id}) as results, certificates_held(${id}) as certificates`.execute(ctx.db)
  if (own && firstRow(rows).results) throw refuse(409, 'results_held')
  if (firstRow(rows).certificates) throw refuse(409, 'certificates_held')
}

/** Issues the certificate that fits the state of the student, and hands it out. */
async function certificate(ctx: Ctx, id: number, lang: PaperLanguage): Promise<FileResult> {
  const { rows } = await sql<{ status: string }>`select t.status from students t
    where t.id = ${id} and t.removed_at is null and ${students.scope(ctx, studentPapers.permissions.issue)}`.execute(
    ctx.db,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  await refuseHeld(ctx, id, false)
  const kind = rows[0].status === 'graduated' ? 'graduation_certificate' : 'enrollment_certificate'
  await refuseAtOnce(ctx, studentPapers, kind)
  const prepared = await prepareCertificate(ctx, id, lang, kind)
  return paperFile(ctx, studentPapers, id, await issuePaper(ctx, studentPapers, { id, kind, lang, prepared }))
}

/** The master's certificate that was issued last in a language and is valid. */
async function masterCertificate(ctx: Ctx, id: number, lang: PaperLanguage): Promise<FileResult> {
  const { rows } = await sql<{ paper: number | null }>`
    select (select p.id from papers p where p.subject = ${studentPapers.subject} and p.subject_id = any(same_record(${studentPapers.subject}, t.id))
        and p.kind = 'master_certificate' and p.lang = ${lang} and p.revoked_at is null order by p.id desc limit 1) as paper
    from students t where t.id = ${id} and ${students.scope(ctx, studentPapers.permissions.open)}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  if (rows[0].paper === null) throw refuse(409, 'no_master_certificate')
  await refuseWithheld(ctx, rows[0].paper)
  return paperFile(ctx, studentPapers, id, rows[0].paper)
}

/** Handlers of transcripts and certificates. */
export const transcriptHandlers: readonly Handled[] = [
  handle(transcriptCalls.transcript, (ctx, { params: { id, lang }, body: { all } }) => transcript(ctx, id, lang, all)),
  handle(transcriptCalls.certificate, (ctx, { params: { id, lang } }) => certificate(ctx, id, lang)),
  handle(transcriptCalls.masterCertificate, (ctx, { params: { id, lang } }) => masterCertificate(ctx, id, lang)),
  handle(transcriptCalls.issued, async (ctx, { params: { id } }) => {
    const { rows } = await sql<{ issued: IssuedTranscript[] }>`
      select coalesce((select json_agg(json_build_object('id', x.id, 'serial', x.serial, 'lang', x.lang, 'all_results', x.all_results,
          'courses', x.courses, 'gpa', x.gpa::text, 'passed_hours', x.passed_hours, 'issued_at', x.issued_at, 'issued_by', u.name) order by x.id desc)
        from transcripts x left join users u on u.id = x.issued_by where x.student_id = t.id), '[]') as issued
      from students t where t.id = ${id} and ${students.scope(ctx, ['print_transcript', 'show_student_record'])}`.execute(
      ctx.db,
    )
    if (!rows[0]) throw refuse(404, 'not_found')
    return { data: rows[0].issued }
  }),
  ...servePapers(studentPapers, {
    table: 'students',
    scope: students.scope,
    kinds: {
      enrollment_certificate: (ctx, id, lang, signed) =>
        prepareCertificate(ctx, id, lang, 'enrollment_certificate', signed),
      graduation_certificate: (ctx, id, lang, signed) =>
        prepareCertificate(ctx, id, lang, 'graduation_certificate', signed),
      master_certificate: (ctx, id, lang, signed) => prepareCertificate(ctx, id, lang, 'master_certificate', signed),
      transcript: async (ctx, id, lang, signed) => {
        const composed = await composeTranscript(
          ctx,
          { id, access: studentPapers.permissions.issue, staff: true },
          lang,
          { kind: 'official', signed },
        )
        return {
          holder: composed.holder,
          facts: { program: composed.program, gpa: composed.gpa, passed_hours: String(composed.passed_hours) },
          stood: composed.registration_ids.map((fact_id) => ({ fact: 'result', fact_id })),
          compose: (proof, issued) => composed.compose(proof.serial, issued.at.toISOString(), issued.on, proof),
        }
      },
    },
  }),
]
