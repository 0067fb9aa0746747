/** What is put into the file of a paper when it is issued: the credential, and of a transcript ELMO. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import type { PdfAttachment } from '#kit/server/documents/index.ts'
import type { PaperToMake } from '#kit/server/papers/papers.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { elmoOf } from '../elmo/elmo.rules.ts'
import { signedElmo } from '../elmo/signature.server.ts'
import { isObject } from '../verify/values.rules.ts'
import { CREDENTIAL_KINDS, credentialOf, didOf } from './credential.rules.ts'
import type { PaperCourse, PaperFacts } from './credential.rules.ts'
import { subjectOf } from './issue.server.ts'
import { issuerKey } from './keys.server.ts'
import { signedToken } from './sign.server.ts'
import { statusPlace } from './status.server.ts'

const coursesIn = (data: unknown): PaperCourse[] =>
  isObject(data)
    ? [data.credited, data.courses].flatMap((list) => (Array.isArray(list) ? (list as PaperCourse[]) : []))
    : []

/** Terms by code, as the facts of a paper have them. */
async function termsOf(tx: Tx, courses: readonly PaperCourse[]): Promise<PaperFacts['terms']> {
  const codes = [...new Set(courses.flatMap(({ term }) => term ?? []))]
  if (!codes.length) return {}
  const { rows } = await sql<{ terms: PaperFacts['terms'] | null }>`
    select json_object_agg(code, json_build_object('name', name, 'name_local', name_local, 'end', end_date::text)) as terms
    from terms where code = any(${codes})`.execute(tx)
  return rows[0]?.terms ?? {}
}

/**
 * A paper as a credential in a token, and as ELMO, for its file. Whoever has the file has everything that is printed on it: so have these.
 * They are signed within a millisecond; what the holder takes later carries a proof that is dearer to make.
 */
export async function paperAsFiles(
  ctx: Ctx,
  kind: string,
): Promise<(tx: Tx, paper: PaperToMake) => Promise<readonly PdfAttachment[]>> {
  if (!Object.hasOwn(CREDENTIAL_KINDS, kind)) return async () => []
  const [{ key, multibase }, head] = [await issuerKey(ctx), await universityHead(ctx)]
  const { publicUrl } = ctx.services.config
  const did = didOf(publicUrl)
  const method = `${did}#${multibase}`
  const issuer = { id: did, ...head }
  return async (tx, { data, ...paper }) => {
    const place = await statusPlace(ctx, tx, paper.id)
    const courses = coursesIn(data)
    const facts: PaperFacts = { ...paper, disclosure: 'everything', courses, terms: await termsOf(tx, courses) }
    const subject = subjectOf(paper.code)
    const document = credentialOf(facts, { issuer, address: publicUrl, subject, ...place })
    const credential: PdfAttachment = {
      name: 'credential.jwt',
      type: 'application/vc+jwt',
      content: signedToken(document, { key, method, issuer: did, subject }),
      description: 'Verifiable credential (W3C VC 2.0, Open Badges 3.0)',
    }
    if (kind !== 'transcript') return [credential]
    const xml = elmoOf(facts, { issuer, address: publicUrl, made: paper.issued_at })
    return [
      credential,
      {
        name: 'elmo.xml',
        type: 'text/xml',
        content: signedElmo(xml, { key, method }),
        description: 'ELMO 1.x (EMREX)',
      },
    ]
  }
}
