/** What an issuer sees and answers by the link of a mail, without an account. Nothing else is opened by it. */
import { PDFDocument } from '@cantoo/pdf-lib'
import type { Readable } from 'node:stream'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { addressLimit, attempt } from '#kit/server/identity/attempts.ts'
import { hashToken } from '#kit/server/identity/sessions.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { sql } from 'kysely'
import { elsewhereCalls } from './external.contract.ts'
import { takeAnswer } from './external.server.ts'

interface Question {
  id: number
  file_id: number
  person: string
  person_local: string
  issuer: { name: string; name_local: string }
  kind: 'school' | 'degree' | 'transcript' | 'identity' | 'other'
  number: string | null
  issued_on: string | null
}
/** The paper of a link that has not ended. Guessing is limited by address. @throws {Refusal} 403 `external_link_over` */
async function questionOf(ctx: Ctx, token: string): Promise<Question> {
  const succeeded = await attempt(ctx.pool, [addressLimit('external paper', ctx.ip)])
  const { rows } = await sql<Question>`
    select t.id, (select k.file_id from external_paper_files k where k.paper_id = t.id order by k.id desc limit 1) as file_id,
      coalesce(t.person_name, s.name, a.name, a.name_local, a.code) as person,
      coalesce(t.person_name, s.name_local, a.name_local, a.name, a.code) as person_local,
      json_build_object('name', i.name, 'name_local', i.name_local) as issuer, t.kind, t.number, t.issued_on::text as issued_on
    from external_paper_links l join external_paper_asks q on q.id = l.ask_id and q.ended_at is null
      join external_papers t on t.id = q.paper_id and t.removed_at is null join paper_issuers i on i.id = t.issuer_id
      left join students s on s.id = t.student_id left join applicants a on a.id = t.applicant_id
    where l.token_hash = ${hashToken(token)} and l.expires_at > now()`.execute(ctx.db)
  if (!rows[0]) throw refuse(403, 'external_link_over')
  await succeeded()
  return rows[0]
}

async function whole(content: Uint8Array | Readable): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return content
  const parts: Buffer[] = []
  for await (const part of content) parts.push(Buffer.from(part as Uint8Array))
  return Buffer.concat(parts)
}

/** A picture as a page, so that whoever is asked opens one kind of file. */
async function asPdf(content: Uint8Array, ext: string): Promise<Uint8Array> {
  if (ext === 'pdf') return content
  const pdf = await PDFDocument.create()
  const picture = ext === 'png' ? await pdf.embedPng(content) : await pdf.embedJpg(content)
  const { width, height } = picture.scaleToFit(595, 842)
  pdf.addPage([width, height]).drawImage(picture, { x: 0, y: 0, width, height })
  return pdf.save()
}

export const externalAnswers: readonly Handled[] = [
  handle(elsewhereCalls.openQuestion, async (ctx, { body }) => {
    const { id: _id, file_id: _file, ...shown } = await questionOf(ctx, body.token)
    const { name, name_local } = await universityHead(ctx)
    return { data: { university: { name, name_local }, ...shown } }
  }),
  handle(elsewhereCalls.questionFile, async (ctx, { body }) => {
    const { file_id } = await questionOf(ctx, body.token)
    const { rows } = await sql<{ ext: string }>`select ext from files where id = ${file_id}`.execute(ctx.db)
    const ext = rows[0]?.ext ?? ''
    if (!['pdf', 'png', 'jpg'].includes(ext)) throw refuse(409, 'external_file_data')
    const { content } = await ctx.services.files.read(file_id)
    return { type: 'pdf' as const, name: 'Paper.pdf', content: await asPdf(await whole(content), ext) }
  }),
  handle(elsewhereCalls.answerQuestion, async (ctx, { body: { token, ...body } }) => {
    const { id } = await questionOf(ctx, token)
    const system = asSystem(ctx.services, `The issuer answered: ${body.answered_by}`, ctx.lang)
    await system.write(async (tx) => {
      await sql`select from external_papers where id = ${id} for update`.execute(tx)
      // Pressed twice: the link ended with the first answer.
      const { rows } =
        await sql`select from external_paper_links where token_hash = ${hashToken(token)} and expires_at > now()`.execute(
          tx,
        )
      if (!rows.length) throw refuse(403, 'external_link_over')
      await takeAnswer(system, tx, id, { how: 'link', ...body, remark: body.remark ?? null })
    })
    return { data: null }
  }),
]
