/** What stands on a certificate: read anew each time, and held against what was prepared by its hash. */
import { createHash } from 'node:crypto'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { prepareText } from '#areas/records/students/transcript/certificate.server.ts'
import type { PaperLanguage } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import type { SignedLine } from '#kit/server/papers/signed.ts'
import { preparedPaper, type Names, type PreparedPaper } from '#kit/server/papers/papers.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { sql } from 'kysely'
import { STAFF_SUBJECT } from './paper.contract.ts'
import { prepareStaffText } from './staff-text.server.ts'

interface Prepared {
  readonly id: number
  readonly student_id: number | null
  readonly staff_id: number | null
  readonly lang: 'ar' | 'en' | 'both'
  readonly document: string
  readonly title: Names
  readonly valid_days: number | null
  readonly body: string | null
  readonly body_local: string | null
  readonly text_id: number | null
}
/** Whose papers they are: of a student, or of an account of the staff. */
export const paperSubjectOf = ({ student_id, staff_id }: Pick<Prepared, 'student_id' | 'staff_id'>) =>
  staff_id === null
    ? ({ subject: 'student', id: student_id ?? 0 } as const)
    : ({ subject: STAFF_SUBJECT, id: staff_id } as const)

/** A certificate with the wording that it was prepared with; the newest of its type where it was not, or is to be prepared `anew`. */
export async function certificateOf(tx: Db | Tx, id: number, anew = false): Promise<Prepared> {
  const { rows } = await sql<Prepared>`
    select c.id, c.student_id, c.staff_id, c.lang, y.document, json_build_object('name', y.name, 'name_local', y.name_local) as title, y.valid_days,
      x.body, x.body_local, x.id as text_id
    from certificates c join certificate_settings y on y.id = c.type_id
      left join lateral (select w.id, w.body, w.body_local from certificate_setting_texts w where w.type_id = y.id
        and (${anew} or c.text_id is null or w.id = c.text_id) order by w.id desc limit 1) x on true
    where c.id = ${id}`.execute(tx)
  return firstRow(rows)
}

/** The languages of a certificate, each a paper of its own. */
export const languagesOf = ({ lang }: Pick<Prepared, 'lang'>): PaperLanguage[] =>
  lang === 'both' ? ['ar', 'en'] : [lang]
/** Of which kind its papers are. */
export const kindOf = ({ document, staff_id }: Pick<Prepared, 'document' | 'staff_id'>): string =>
  staff_id !== null ? 'staff_certificate' : document === 'text' ? 'certificate' : document

/** What one language of a certificate says now. */
export function contentsOf(
  ctx: Ctx,
  one: Prepared,
  lang: PaperLanguage,
  signed: readonly SignedLine[] = [],
): Promise<PreparedPaper> {
  const system = ctx.system === null ? asSystem(ctx.services, 'Certificates', ctx.lang) : ctx
  const { id, subject } = paperSubjectOf(one)
  const wording = {
    title: one.title,
    text: (lang === 'ar' ? one.body_local : one.body) ?? '',
    signatures: [],
    signed,
    days: one.valid_days,
  }
  if (subject === STAFF_SUBJECT) return prepareStaffText(system, id, lang, wording)
  return one.document === 'text'
    ? prepareText(system, id, lang, wording)
    : preparedPaper(system, { subject }, { id, kind: one.document, lang, signed })
}

/** Neither number nor day, so that only what it says makes the difference. */
const BLANK = { serial: '', qr: 'qr.svg', code: '' }
const NO_DAY = { at: new Date(0), on: '1970-01-01' }
/** The hash of all that stands on a certificate, in all its languages. */
export async function hashOf(ctx: Ctx, one: Prepared): Promise<string> {
  const hash = createHash('sha256')
  for (const lang of languagesOf(one)) {
    const { data } = (await contentsOf(ctx, one, lang)).compose(BLANK, NO_DAY)
    hash.update(JSON.stringify([lang, data]))
  }
  return hash.digest('hex')
}
