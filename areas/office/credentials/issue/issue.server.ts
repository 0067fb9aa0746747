import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { students } from '#areas/records/students/student/student.server.ts'
import { studentPapers } from '#areas/records/students/transcript/transcript.contract.ts'
import type { Ctx, FileResult } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import { refuseWithheld } from '#kit/server/papers/papers.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { CREDENTIAL_KINDS, credentialOf, didOf } from './credential.rules.ts'
import type { PaperCourse, PaperFacts } from './credential.rules.ts'
import { signedByUniversity } from './keys.server.ts'
import { statusPlace } from './status.server.ts'

interface Row extends Omit<PaperFacts, 'courses' | 'terms'> {
  id: number
  revoked: boolean
  data: { courses?: PaperCourse[]; credited?: PaperCourse[] } | null
  terms: PaperFacts['terms'] | null
}

/**
 * A paper that the reader may open, as data.
 *
 * @throws {Refusal} 404 beyond reach; 409 `credential_kind`, `paper_revoked`, or why it is not handed out yet
 */
export async function openedPaper(ctx: Ctx, student: number, paper: number): Promise<PaperFacts & { id: number }> {
  const { rows } = await sql<Row>`
    select p.id, p.kind, p.lang, p.serial, p.code, json_build_object('name', p.title, 'name_local', p.title_local) as title,
      json_build_object('name', p.holder, 'name_local', p.holder_local) as holder, p.facts, p.disclosure, p.issued_at,
      p.revoked_at is not null as revoked, d.data,
      (select json_object_agg(m.code, json_build_object('name', m.name, 'name_local', m.name_local, 'end', m.end_date::text)) from terms m
        where m.code in (select c ->> 'term' from jsonb_array_elements(d.data -> 'courses') c)) as terms
    from students t join papers p on p.subject = ${studentPapers.subject} and p.subject_id = any(same_record(${studentPapers.subject}, t.id))
      left join paper_data d on d.paper_id = p.id
    where t.id = ${student} and p.id = ${paper} and ${students.scope(ctx, studentPapers.permissions.open)}`.execute(
    ctx.db,
  )
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  if (!Object.hasOwn(CREDENTIAL_KINDS, row.kind)) throw refuse(409, 'credential_kind')
  if (row.revoked) throw refuse(409, 'paper_revoked')
  await refuseWithheld(ctx, row.id)
  const { data, terms, revoked: _, ...facts } = row
  return { ...facts, courses: [...(data?.credited ?? []), ...(data?.courses ?? [])], terms: terms ?? {} }
}

/** The signed credential of a paper, as it may be handed on by its holder. */
export async function paperCredential(ctx: Ctx, student: number, paper: number): Promise<FileResult> {
  const opened = await openedPaper(ctx, student, paper)
  const place = await ctx.write((tx) => statusPlace(ctx, tx, opened.id))
  const { publicUrl } = ctx.services.config
  const head = await universityHead(ctx)
  const document = credentialOf(opened, {
    issuer: { id: didOf(publicUrl), ...head },
    address: publicUrl,
    subject: subjectOf(opened.code),
    ...place,
  })
  const credential = await signedByUniversity(ctx, document, new Date())
  return {
    name: fileName('json', opened.title.name, opened.serial),
    type: 'json',
    content: Buffer.from(JSON.stringify(credential, null, 2)),
  }
}

/** A number for the holder of a paper that leads neither to the person nor from one credential to another. */
export function subjectOf(code: string): string {
  const hex = createHash('sha256').update(`subject of ${code}`).digest('hex')
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
