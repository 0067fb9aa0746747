import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { bylawSettings } from '#areas/study/catalogue/bylaws/read-settings.server.ts'
import { classificationFor } from '#areas/study/catalogue/bylaw.rules.ts'
import { parseHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { SettingName } from '#areas/common/settings/university/university.contract.ts'
import type { CertificatePlace } from '#areas/common/settings/university/kinds.contract.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { universitySettingsOf } from '#areas/common/settings/university/university.server.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { inLanguage } from '#kit/contract/index.ts'
import type { Label, PaperLanguage } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import type { Names, PreparedPaper } from '#kit/server/papers/papers.ts'
import { signedLines, type SignedLine } from '#kit/server/papers/signed.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { degreeReasons, students } from '../student/student.server.ts'
import { studentPapers } from './transcript.contract.ts'

registerTemplate('certificate', fileURLToPath(new URL('./certificate.typ', import.meta.url)))

type Kind = 'enrollment_certificate' | 'graduation_certificate' | 'master_certificate'

const WORDS = {
  verify: ['Verify this paper by its code', 'تحقق من هذه الوثيقة برمزها'],
  issued: ['Issued on', 'تاريخ الإصدار'],
  valid_until: ['Meant until', 'سارية حتى'],
} as const satisfies Record<string, Label>

interface Person {
  name: string
  name_local: string
  former: Names | null
  code: string
  status: string
  study_level: string
  level: number
  gpa: string | null
  national_id: string | null
  bylaw_id: number
  faculty: Names
  program: Names
  degree: string | null
  degree_local: string | null
  nationality: Names | null
  year: Names | null
  finished: Names | null
  revised: boolean
  /** Graduated before decisions were kept: nobody audited it here. */
  taken_over: boolean
}

/** Puts what is known of a person into the text of a certificate; what is not known is a dash. */
export const filled = (text: string, known: Readonly<Record<string, string | null | undefined>>): string =>
  text.replace(/\{(\w+)\}/g, (_, place: string) => known[place] || '–')

const pair =
  (one: Names | null): ((lang: PaperLanguage) => string | null) =>
  (lang) =>
    one && nameIn(one, lang)

/** The student of a certificate. @throws {Refusal} 404 */
async function personOf(ctx: Ctx, id: number): Promise<Person> {
  const { rows } = await sql<Person>`
    select t.name, t.name_local, (select json_build_object('name', n.name, 'name_local', n.name_local) from former_names n
        where n.student_id = t.id order by n.id desc limit 1) as former, t.code, t.status, t.level, t.gpa::text as gpa, t.bylaw_id,
      coalesce(${students.column(ctx, 'national_id')}, ${students.column(ctx, 'passport_number')}) as national_id,
      json_build_object('name', f.name, 'name_local', f.name_local) as faculty,
      json_build_object('name', p.name, 'name_local', p.name_local) as program, p.degree, p.degree_local, p.study_level,
      (select json_build_object('name', c.name, 'name_local', c.name_local) from countries c where c.id = t.nationality_id) as nationality,
      (select json_build_object('name', y.name, 'name_local', y.name_local) from terms m join years y on y.id = m.year_id
        where m.id = ${currentTermId()}) as year,
      (select json_build_object('name', m.name, 'name_local', m.name_local) from student_terms st join terms m on m.id = st.term_id
        where st.student_id = t.id order by m.start_date desc, m.id desc limit 1) as finished,
      exists (select from student_terms st where st.student_id = t.id and st.revised_since is not null) as revised,
      exists (select from student_status_decisions d where d.id = t.status_decision_id and d.source = 'earlier') as taken_over
    from students t join faculties f on f.id = t.faculty_id join programs p on p.id = t.program_id
    where t.id = ${id} and t.removed_at is null and ${students.scope(ctx, studentPapers.permissions.issue)}`.execute(
    ctx.db,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}
const degreeOf = ({ degree, degree_local }: Person): Names | null =>
  degree || degree_local ? { name: degree ?? degree_local!, name_local: degree_local ?? degree! } : null

/** What the places of a text stand for. */
async function knownOf(
  ctx: Ctx,
  person: Person,
  lang: PaperLanguage,
): Promise<Record<CertificatePlace, string | null>> {
  const bylaw = await bylawSettings(ctx.db, person.bylaw_id)
  const classification = person.gpa === null ? null : classificationFor(bylaw.gpa_ranges, parseHundredths(person.gpa)!)
  return {
    name: nameIn(person, lang),
    former_name: pair(person.former)(lang),
    code: person.code,
    national_id: person.national_id,
    nationality: pair(person.nationality)(lang),
    faculty: nameIn(person.faculty, lang),
    program: nameIn(person.program, lang),
    level: String(person.level),
    year: pair(person.year)(lang),
    degree: pair(degreeOf(person))(lang),
    gpa: person.gpa,
    classification: nameIn(classification, lang),
    graduation_term: pair(person.finished)(lang),
  }
}

const onPage = async (ctx: Ctx, person: Person, lang: PaperLanguage) => ({
  unit: person.faculty,
  known: await knownOf(ctx, person, lang),
})

/** What a certificate says, before it is filled from a record. */
export interface TextOnPaper {
  readonly title: Names
  readonly text: string
  /** Titles of those who sign by hand. */
  readonly signatures: readonly string[]
  readonly signed?: readonly SignedLine[]
  /** It is relied on for so many days from its issue. */
  readonly days: number | null
}
/** The page of a certificate, of whomever: `known` fills its places. What depends on the day is known when it is issued. */
export async function certificatePage(
  ctx: Ctx,
  { unit, known }: { readonly unit: Names | null; readonly known: Parameters<typeof filled>[1] },
  lang: PaperLanguage,
  { title, text, signatures, signed = [], days }: TextOnPaper,
): Promise<PreparedPaper['compose']> {
  const head = await universityHead(ctx)
  const { lines, files } = signedLines(signed, lang)
  return (proof, issued) => ({
    template: 'certificate',
    created: issued.at,
    files,
    data: {
      lang,
      title: nameIn(title, lang),
      serial: proof.serial,
      university: { ...head, ...(unit && { unit: unit.name, unit_local: unit.name_local }) },
      text: filled(text, known),
      facts: [
        { label: inLanguage(WORDS.issued, lang), value: issued.on },
        ...(days ? [{ label: inLanguage(WORDS.valid_until, lang), value: addDays(issued.on, days) }] : []),
      ],
      signatures,
      signed: lines,
      proof: { ...proof, caption: inLanguage(WORDS.verify, lang) },
    },
  })
}

/** A certificate with any text, whose places are filled from the student's record. @throws {Refusal} 404 */
export async function prepareText(
  ctx: Ctx,
  id: number,
  lang: PaperLanguage,
  wording: TextOnPaper,
): Promise<PreparedPaper<'type' | 'program'>> {
  const person = await personOf(ctx, id)
  return {
    holder: { name: person.name, name_local: person.name_local },
    title: wording.title,
    facts: { type: wording.title, program: person.program },
    valid_until: wording.days ? addDays(dayOf(), wording.days) : null,
    compose: await certificatePage(ctx, await onPage(ctx, person, lang), lang, wording),
  }
}

/**
 * A certificate of enrolment, of graduation or of a master's degree, by the settings of the university: its text, who signs it, how long it is
 * meant. The file keeps them as they were when it was issued.
 *
 * @throws {Refusal} 404; 409 `enrolled_only`, `not_graduated`, `not_postgraduate`, `gpa_being_revised`, `graduation_not_audited`
 */
export async function prepareCertificate(
  ctx: Ctx,
  id: number,
  lang: PaperLanguage,
  kind: Kind,
  signed: readonly SignedLine[] = [],
): Promise<PreparedPaper> {
  const person = await personOf(ctx, id)
  const graduation = kind !== 'enrollment_certificate'
  if (!graduation && person.status !== 'studying') throw refuse(409, 'enrolled_only')
  if (graduation && person.status !== 'graduated') throw refuse(409, 'not_graduated')
  if (kind === 'master_certificate' && person.study_level !== 'postgraduate') throw refuse(409, 'not_postgraduate')
  if (graduation && person.revised) throw refuse(409, 'gpa_being_revised')
  // A graduation by decision was audited then; one that was taken over never was.
  if (graduation && person.taken_over) {
    const [lacking] = await degreeReasons(asSystem(ctx.services, 'graduation certificate', ctx.lang), id)
    if (lacking) throw refuse(409, 'graduation_not_audited', lacking.data)
  }

  // Whoever has earned a degree is told so in the same words, whichever the degree.
  const worded = graduation ? 'graduation_certificate' : kind
  const ending = lang === 'ar' ? '_local' : ''
  const names = {
    text: `${worded}_text${ending}` as SettingName,
    signatures: `${worded}_signatures${ending}` as SettingName,
  }
  const settings = await universitySettingsOf(ctx, [names.text, names.signatures, 'enrollment_certificate_days'])
  const days = graduation ? null : Number(settings.enrollment_certificate_days) || null
  const valid_until = days === null ? null : addDays(dayOf(), days)
  const [name, name_local] = studentPapers.kinds[kind].label
  return {
    holder: { name: person.name, name_local: person.name_local },
    facts: graduation
      ? {
          program: person.program,
          degree: degreeOf(person),
          gpa: person.gpa,
          graduation_term: person.finished,
        }
      : { program: person.program, level: String(person.level), year: person.year, valid_until },
    valid_until,
    // Who has graduated stands with these figures; those of who studies go on.
    ...(graduation && { stood: [{ fact: 'figures', fact_id: id }] }),
    compose: await certificatePage(ctx, await onPage(ctx, person, lang), lang, {
      title: { name, name_local },
      text: settings[names.text],
      // Nobody signs by hand what was signed on the way of certificates.
      signatures: signed.length
        ? []
        : settings[names.signatures]
            .split('\n')
            .map((line) => line.trim())
            .filter(Boolean),
      signed,
      days,
    }),
  }
}
