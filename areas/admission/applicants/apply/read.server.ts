/** An application as whoever applies reads it: what was written, what is missing, and what the admission asks. */
import { sql } from 'kysely'
import { isPossiblePhoneNumber, isValidPhoneNumber } from 'libphonenumber-js/min'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { moneyText } from '#kit/contract/money.ts'
import { dayOf } from '#kit/contract/day.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse, toProblem } from '#kit/server/base/errors.ts'
import { hashToken } from '#kit/server/identity/sessions.ts'
import { admissionState } from '#areas/admission/admissions/admissions/admission.server.ts'
import { applicants } from '../applicant/applicant.server.ts'
import { APPLICATION_TABS, FIELDS_OF_TAB, TABS_OF, WRITTEN_IN, type ApplicationTab } from '../words.contract.ts'
import type { Application, OpenAdmission } from './apply.contract.ts'
import { checkApplicationTab, type ApplicantFacts } from './application.rules.ts'

type Queries = Db | Tx
/** A record as SQL names it: `{id, code, name, name_local}`. */
const named = (alias: string) =>
  sql.raw(
    `json_build_object('id', ${alias}.id, 'code', ${alias}.code, 'name', ${alias}.name, 'name_local', ${alias}.name_local)`,
  )

/** Columns of an admission `a` as anybody may see them. */
export const ADMISSION_SHOWN = sql`a.id, a.code, a.name, a.name_local, a.applicant_type as type, ${sql.raw(admissionState('a'))} as state,
  (select ${named('t')} from terms t where t.id = a.term_id) as term, a.opens_at, a.closes_at, a.is_early, a.has_exam, a.has_interview,
  a.has_scholarships, a.max_preferences::int, (select count(*)::int from admission_programs p where p.admission_id = a.id and p.is_open and p.removed_at is null) as programs,
  coalesce((select json_agg(json_build_object('fee', f.fee, 'asked_of', f.asked_of, 'currency', f.currency, 'amount', f.amount) order by f.position)
    from admission_fees f where f.admission_id = a.id), '[]') as fees`

/** What is open or will be, as anybody may know it. */
export async function openAdmissions(db: Queries): Promise<OpenAdmission[]> {
  const { rows } = await sql<OpenAdmission>`select ${ADMISSION_SHOWN} from admissions a
    where a.removed_at is null and ${sql.raw(admissionState('a'))} <> 'closed' order by a.applicant_type, a.opens_at, a.id`.execute(
    db,
  )
  return rows
}

/** A telephone number with the prefix of its country, or one of Egypt as it is dialled there. */
export const isApplicantPhone = (value: string): boolean =>
  isPossiblePhoneNumber(value, 'EG') && isValidPhoneNumber(value, 'EG')

export interface OpenedApplication {
  id: number
  code: string
  version: number
  status: Application['status']
  email: string
  language: string
  nominated: Application['nominated']
  submitted_at: string | null
  percentage: string | null
  declared: boolean
  merged_into: string | null
  seat: Application['seat']
  admission: OpenAdmission
}

/**
 * The application of an id and a key. Whoever has no right key learns nothing of whether there is such an application.
 *
 * @throws {Refusal} 404 `application_unknown`
 */
export async function openApplication(db: Queries, id: number, key: string, lock = false): Promise<OpenedApplication> {
  const { rows } =
    await sql<OpenedApplication>`select t.id, t.code, t.version, t.status, t.email, t.language, t.submitted_at, t.percentage::text,
      t.declared is not null as declared, (select json_build_object('fields', n.fields, 'shown', n.shown) from applicant_nominations n
        where n.applicant_id = t.id) as nominated, (select o.code from applicants o where o.id = t.merged_into_id) as merged_into,
      (select ${named('p')} from programs p where p.id = t.program_id and t.status in ('FINAL_FEES_REQUIRED', 'APPROVED', 'accepted')) as seat,
      (select to_json(x) from (select ${ADMISSION_SHOWN} from admissions a where a.id = t.admission_id) x) as admission
    from applicants t where t.id = ${id} and t.key_hash = ${hashToken(key)} and t.removed_at is null
    ${lock ? sql`for no key update of t` : sql``}`.execute(db)
  if (!rows[0]) throw refuse(404, 'application_unknown')
  return rows[0]
}

interface Asked {
  kind: { id: number; code: string; name: string; name_local: string }
  is_required: boolean
  file: { id: number; name: string; size: number } | null
}
/** The documents that an application is asked for, with those that are there. */
export async function documentsAsked(db: Queries, id: number): Promise<Asked[]> {
  const { rows } = await sql<Asked>`select ${named('k')} as kind, bool_or(d.is_required) as is_required,
      (select json_build_object('id', f.id, 'name', f.name, 'size', f.size) from applicant_documents g join files f on f.id = g.file_id
        where g.applicant_id = t.id and g.document_kind_id = k.id) as file
    from applicants t join admission_documents d on d.admission_id = t.admission_id join document_kinds k on k.id = d.document_kind_id
    where t.id = ${id} and (d.asked_of = 'all' or (d.asked_of = 'egyptian') = (t.nationality_id is not distinct from 64))
      and (d.certificate_type_id is null or d.certificate_type_id = t.certificate_type_id)
    group by t.id, k.id order by min(d.position)`.execute(db)
  return rows
}

/** SQL: whether the admission asks the fee `f` of the applicant `t` for applying. */
const APPLICATION_FEE = sql`f.admission_id = t.admission_id and f.fee = 'application'
  and (f.asked_of = 'all' or (f.asked_of = 'egyptian') = (t.nationality_id is not distinct from 64))`
/**
 * SQL: what the applicant still has to pay before sending in: what the admission asks now or, once charged, what is open of that. An
 * application that was sent in before is not asked again.
 */
const FEE_DUE = (
  id: number,
) => sql`(select case when c.charged is null then json_build_object('amount', f.amount, 'currency', f.currency)
      else json_build_object('amount', c.charged - c.settled, 'currency', c.currency) end
    from applicants t join admission_fees f on ${APPLICATION_FEE}
      left join lateral (select coalesce(b.charged, 0) as charged, coalesce(b.settled, 0) as settled, i.currency
        from applicant_fees g join invoices i on i.id = g.invoice_id left join invoice_balances b on b.invoice_id = i.id
        where g.applicant_id = t.id and g.fee = 'application' and g.taken_back_at is null) c on true
    where t.id = ${id} and t.status = 'INCOMPLETE' and (c.charged is null or c.settled < c.charged))`
/** Notes whether an application is paid for before it is sent in; it follows from the admission and the nationality. */
export const keepRequirePayment = (tx: Tx, id: number): Promise<unknown> =>
  sql`update applicants t set require_payment = x.asked
    from (select exists (select from applicants t join admission_fees f on ${APPLICATION_FEE} where t.id = ${id}) as asked) x
    where t.id = ${id} and t.require_payment <> x.asked`.execute(tx)

/** Everything that the rules look at. */
export async function factsOfApplication(
  db: Queries,
  opened: OpenedApplication,
  values: Readonly<Record<string, unknown>>,
  documents: readonly Asked[],
): Promise<ApplicantFacts> {
  const figures = /^\d{7}(\d\d)\d{5}$/.exec(String(values.national_id ?? ''))?.[1]
  const { rows } = await sql<{
    certificate: ApplicantFacts['certificate']
    born_in: number | null
    programs: number[]
    declarations: number
    fee: { amount: number; currency: string } | null
  }>`select (select json_build_object('max_total', (c.max_total * 100)::int, 'subjects', coalesce((select json_agg(json_build_object(
          'certificate_subject_id', s.certificate_subject_id, 'max_mark', (s.max_mark * 100)::int, 'is_required', s.is_required,
          'is_counted', s.is_counted) order by s.position) from certificate_type_subjects s where s.certificate_type_id = c.id), '[]'))
        from certificate_types c where c.id = ${values.certificate_type_id ?? null}::int) as certificate,
      (select m.id from communities m where m.national_id_code = ${figures ?? null}::text and m.removed_at is null) as born_in,
      array(select x.program_id from admission_programs x where x.admission_id = ${opened.admission.id} and x.is_open
        and x.removed_at is null) as programs,
      (select count(*)::int from admission_declarations d where d.admission_id = ${opened.admission.id}) as declarations, ${FEE_DUE(opened.id)} as fee`.execute(
    db,
  )
  const { certificate, born_in, programs, declarations, fee } = firstRow(rows)
  return {
    values,
    today: dayOf(),
    certificate,
    born_in: born_in ?? undefined,
    max_preferences: opened.admission.max_preferences,
    programs: new Set(programs),
    is_early: opened.admission.is_early,
    missing_documents: documents.flatMap(({ kind, is_required, file }) => (is_required && !file ? [kind] : [])),
    declared: opened.declared,
    declarations,
    fee_due: fee && moneyText(fee.amount, fee.currency),
    isPhone: isApplicantPhone,
  }
}

/** Fields that whoever applies writes. */
export const WRITTEN: ReadonlySet<string> = new Set(Object.values(FIELDS_OF_TAB).flat())
/** The tabs of an application: scholarships are asked about where there are any. */
export const tabsOfApplication = ({ admission }: OpenedApplication): readonly ApplicationTab[] =>
  TABS_OF[admission.type].filter((tab) => tab !== 'scholarships' || admission.has_scholarships)

/** An application as it is answered. */
export async function showApplication(ctx: Ctx, db: Queries, opened: OpenedApplication): Promise<Application> {
  const [stored] = await applicants.stored(db as Tx, [opened.id])
  const values = Object.fromEntries(
    Object.entries(stored ?? {}).flatMap(([name, value]) =>
      WRITTEN.has(name) ? [[name, Array.isArray(value) ? value.map(withoutId) : value]] : [],
    ),
  )
  const documents = await documentsAsked(db, opened.id)
  const facts = await factsOfApplication(db, opened, values, documents)
  const { rows } = await sql<{ text: string; text_local: string }>`select text, text_local from admission_declarations
    where admission_id = ${opened.admission.id} order by position`.execute(db)
  const { rows: comments } = await sql<{ tab: ApplicationTab; text: string }>`select tab, text from applicant_comments
    where applicant_id = ${opened.id} and settled_at is null and ${opened.status} = 'FEEDBACK' order by id`.execute(db)
  const { id, code, version, status, email, submitted_at, percentage, declared, merged_into, seat, admission } = opened
  const unseen = unseenOf(opened)
  return {
    id,
    code,
    version,
    type: admission.type,
    status,
    open: isWritable(opened),
    email,
    submitted_at,
    admission: {
      ...admission,
      declarations: rows,
      documents: documents.map(({ file, ...asked }) => ({
        ...asked,
        file: file && { ...file, url: ctx.services.files.link(file, 'everybody') },
      })),
    },
    percentage: unseen.has('certificate_total') ? null : percentage,
    declared,
    require_payment: facts.fee_due !== null,
    nominated: opened.nominated,
    values: Object.fromEntries(Object.entries(values).filter(([name]) => !unseen.has(name))),
    comments,
    merged_into,
    seat,
    tabs: tabsOfApplication(opened).map((key) => {
      // What is wrong with a field tells of it.
      const problems = checkApplicationTab(key, admission.type, facts)
        .filter(({ field }) => !unseen.has(field?.split('.')[0] ?? ''))
        .map((reason) => toProblem(reason))
      return { key, done: problems.length === 0, problems }
    }),
  }
}
/** What is typed to take an application up, and what follows from it. */
const TYPED: readonly string[] = ['nationality_id', 'national_id', 'passport_number']
/** Fields of the ministry that are not shown to whoever has taken the application up with another address. */
const unseenOf = ({ nominated }: Pick<OpenedApplication, 'nominated'>): ReadonlySet<string> =>
  new Set(nominated && !nominated.shown ? nominated.fields.filter((name) => !TYPED.includes(name)) : [])

const withoutId = (row: unknown): unknown => {
  const { id: _, ...rest } = row as { id?: number }
  return rest
}

/** Whether it can be written in: an application that was sent back after the last minute still can. */
export const isWritable = ({ status, admission }: OpenedApplication): boolean =>
  WRITTEN_IN.includes(status) && (admission.state === 'open' || status === 'FEEDBACK')

/** Titles of tabs, for refusals. */
export const titleOfTab = (tab: ApplicationTab): { tab: string; tab_local: string } => ({
  tab: APPLICATION_TABS[tab][0],
  tab_local: APPLICATION_TABS[tab][1],
})
