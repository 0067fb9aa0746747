import { readNationalId } from '#areas/records/students/student/person.rules.ts'
import { EGYPTIAN } from '#areas/common/academics/telephone.rules.ts'
import type { Reason } from '#kit/contract/issues.ts'
import type { ApplicationTab, DegreeKind } from '../words.contract.ts'

type Values = Readonly<Record<string, unknown>>
/** A certificate as it is known here. Marks are hundredths. */
interface Certificate {
  readonly max_total: number
  readonly subjects: readonly {
    readonly certificate_subject_id: number
    readonly max_mark: number
    readonly is_required: boolean
    readonly is_counted: boolean
  }[]
}
/** What is looked at when an application is judged. */
export interface ApplicantFacts {
  readonly values: Values
  /** The day in the university. */
  readonly today: string
  readonly certificate: Certificate | null
  /** Governorate of birth by the figures of the national id: its id; undefined: none has them. */
  readonly born_in: number | undefined
  readonly max_preferences: number
  /** Programs that can be chosen. */
  readonly programs: ReadonlySet<number>
  readonly is_early: boolean
  /** Required documents that are not there. */
  readonly missing_documents: readonly { readonly name: string; readonly name_local: string }[]
  readonly declared: boolean
  /** Sentences that the admission asks to be declared. */
  readonly declarations: number
  /** What is still to be paid before it can be sent in, as `moneyText`; null: nothing. */
  readonly fee_due: string | null
  /** Whether a telephone number can be one: the same library says so in the browser. */
  readonly isPhone: (value: string) => boolean
}

const empty = (value: unknown): boolean => value === null || value === undefined || value === ''
const hundredths = (value: unknown): number => Math.round(Number(value) * 100)
const required = (values: Values, ...names: readonly string[]): Reason[] =>
  names.flatMap((field) => (empty(values[field]) ? [{ field, code: 'required' }] : []))

interface Subject {
  readonly certificate_subject_id: number
  readonly mark: unknown
}
interface Degree {
  readonly degree: DegreeKind
}
const subjectsOf = (values: Values): readonly Subject[] => (values.subjects ?? []) as readonly Subject[]
const degreesOf = (values: Values): readonly Degree[] => (values.degrees ?? []) as readonly Degree[]
const preferencesOf = (values: Values) => (values.preferences ?? []) as readonly { readonly program_id: number }[]

function checkIdentity({ values, today, born_in }: ApplicantFacts): Reason[] {
  const { nationality_id, national_id, birth_date, gender, birth_community_id } = values
  if (nationality_id !== EGYPTIAN) return required(values, 'nationality_id', 'passport_number')
  if (empty(national_id)) return [{ field: 'national_id', code: 'national_id_required' }]
  const said = readNationalId(String(national_id))
  if (!said || said.birth_date > today || born_in === undefined)
    return [{ field: 'national_id', code: 'national_id_not_valid' }]
  return [
    ...(empty(birth_date) || birth_date === said.birth_date
      ? []
      : [{ field: 'birth_date', code: 'national_id_birth_date', data: { date: said.birth_date } }]),
    ...(empty(gender) || gender === said.gender
      ? []
      : [{ field: 'gender', code: said.gender === 1 ? 'national_id_of_man' : 'national_id_of_woman' }]),
    ...(empty(birth_community_id) || birth_community_id === born_in
      ? []
      : [{ field: 'birth_community_id', code: 'application_born_elsewhere' }]),
  ]
}

const checkPerson = ({ values, today }: ApplicantFacts): Reason[] => [
  ...required(values, 'name', 'name_local', 'gender', 'birth_date'),
  ...(!empty(values.birth_date) && String(values.birth_date) > today
    ? [{ field: 'birth_date', code: 'birth_date_future' }]
    : []),
  ...(values.gender === 2 && !empty(values.military_status)
    ? [{ field: 'military_status', code: 'military_status_of_men' }]
    : []),
]

const checkPhones = ({ values, isPhone }: ApplicantFacts, ...names: readonly string[]): Reason[] =>
  names.flatMap((field) =>
    empty(values[field]) || isPhone(String(values[field])) ? [] : [{ field, code: 'application_phone' }],
  )

function checkParents(facts: ApplicantFacts): Reason[] {
  const { values, today } = facts
  const father = values.father_national_id
  const said = empty(father) ? null : readNationalId(String(father))
  return [
    ...required(values, 'father_name', 'mother_name'),
    ...(empty(father) || (said && said.gender === 1 && said.birth_date <= today)
      ? []
      : [{ field: 'father_national_id', code: 'national_id_not_valid' }]),
    ...checkPhones(facts, 'father_phone', 'mother_phone', 'guardian_phone'),
    ...(empty(values.sibling_code) === empty(values.sibling_faculty_id)
      ? []
      : [{ field: empty(values.sibling_code) ? 'sibling_code' : 'sibling_faculty_id', code: 'required' }]),
  ]
}

/** Marks lie within what they are out of, and those that count add up to the total. */
function checkCertificate({ values, today, certificate, is_early }: ApplicantFacts): Reason[] {
  // Before schools tell results, an early application is complete without marks.
  const wanted = is_early ? ['certificate_type_id'] : ['certificate_type_id', 'certificate_year', 'certificate_total']
  const reasons = required(values, ...wanted, 'certificate_school')
  if (!empty(values.certificate_year) && Number(values.certificate_year) > Number(today.slice(0, 4)))
    reasons.push({ field: 'certificate_year', code: 'application_year_future' })
  if (!certificate) return reasons
  const marks = new Map(subjectsOf(values).map((one) => [one.certificate_subject_id, one.mark]))
  const given = certificate.subjects.flatMap((one) => {
    const mark = marks.get(one.certificate_subject_id)
    return empty(mark) ? [] : [{ ...one, mark: hundredths(mark) }]
  })
  const total = empty(values.certificate_total) ? null : hundredths(values.certificate_total)
  if (total !== null && total > certificate.max_total)
    reasons.push({
      field: 'certificate_total',
      code: 'application_mark_above',
      data: { max: (certificate.max_total / 100).toFixed(2) },
    })
  for (const one of given)
    if (one.mark > one.max_mark)
      reasons.push({
        field: `subjects.${one.certificate_subject_id}`,
        code: 'application_mark_above',
        data: { max: (one.max_mark / 100).toFixed(2) },
      })
  if (!is_early || total !== null)
    for (const one of certificate.subjects)
      if (one.is_required && empty(marks.get(one.certificate_subject_id)))
        reasons.push({ field: `subjects.${one.certificate_subject_id}`, code: 'required' })
  const counted = certificate.subjects.filter(({ is_counted }) => is_counted)
  const sum = given.filter(({ is_counted }) => is_counted).reduce((all, { mark }) => all + mark, 0)
  if (counted.length && total !== null && given.length === certificate.subjects.length && sum !== total)
    reasons.push({ field: 'certificate_total', code: 'application_marks_sum', data: { sum: (sum / 100).toFixed(2) } })
  return reasons
}

const checkWishes = ({ values, max_preferences, programs }: ApplicantFacts): Reason[] => {
  const wishes = preferencesOf(values).map((one) => one.program_id)
  return [
    ...(wishes.length ? [] : [{ field: 'preferences', code: 'application_no_wish' }]),
    ...(wishes.length > max_preferences
      ? [{ field: 'preferences', code: 'application_many_wishes', data: { most: max_preferences } }]
      : []),
    ...wishes.flatMap((wish, i) => [
      ...(wishes.indexOf(wish) < i ? [{ field: `preferences.${i}`, code: 'application_wish_twice' }] : []),
      ...(programs.has(wish) ? [] : [{ field: `preferences.${i}`, code: 'application_wish_closed' }]),
    ]),
  ]
}

const checkDegree = (kind: DegreeKind, { values }: ApplicantFacts): Reason[] =>
  degreesOf(values).some(({ degree }) => degree === kind)
    ? []
    : [{ field: 'degrees', code: 'application_degree', data: {} }]

/** What is asked about something only where somebody wants it. */
const wanting = (values: Values, flag: string, ...names: readonly string[]): Reason[] =>
  values[flag] === true ? required(values, ...names) : []

const CHECKS: { readonly [K in ApplicationTab]: (facts: ApplicantFacts) => Reason[] } = {
  nationality: checkIdentity,
  personal_info: checkPerson,
  contact_info: (facts) => [
    ...required(facts.values, 'phone', 'country_id', 'address'),
    ...checkPhones(facts, 'phone', 'second_phone'),
  ],
  parent_info: checkParents,
  academic_data: checkCertificate,
  previous_university_info: () => [],
  bachelor_degree: (facts) => checkDegree('bachelor', facts),
  diploma_degree: () => [],
  master_degree: (facts) => checkDegree('master', facts),
  personal_preference: checkWishes,
  documents: ({ missing_documents }) =>
    missing_documents.map(({ name, name_local }) => ({
      field: 'documents',
      code: 'application_document',
      data: { document: name, document_local: name_local },
    })),
  englishExam: ({ values }) =>
    empty(values.english_exam) || values.english_exam === 'none'
      ? []
      : required(values, 'english_score', 'english_date'),
  scholarships: ({ values }) => wanting(values, 'wants_scholarship', 'scholarship_reason'),
  FinancialAid: ({ values }) =>
    wanting(values, 'wants_financial_aid', 'financial_aid_reason', 'family_income', 'family_members'),
  // Where nothing is to be declared nothing is asked.
  Declaration: ({ declared, declarations }) =>
    declared || declarations === 0 ? [] : [{ field: 'declared', code: 'application_not_declared' }],
  payment: ({ fee_due }) =>
    fee_due === null ? [] : [{ field: 'payment', code: 'application_fee_due', data: { amount: fee_due } }],
}

/** How a tab stands: every reason why it is not done. Whoever transfers says where he or she comes from. */
export function checkApplicationTab(tab: ApplicationTab, type: number, facts: ApplicantFacts): Reason[] {
  if (tab === 'previous_university_info' && type === 3)
    return required(facts.values, 'previous_university', 'previous_faculty', 'previous_hours')
  return CHECKS[tab](facts)
}
/**
 * The percentage of a certificate or a first degree as it counts: hundredths of a percent, half up; null where it is not known.
 *
 * @param total hundredths of a mark
 * @param max hundredths of a mark
 */
export const percentageOf = (total: number | null, max: number | null): number | null =>
  total === null || !max ? null : Math.min(10_000, Math.floor((total * 20_000 + max) / (2 * max)))
