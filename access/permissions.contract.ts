import { accessAndPeople } from '#areas/people/access-and-people/permissions.contract.ts'
import { archive } from '#areas/office/archive/permissions.contract.ts'
import { attendance } from '#areas/enrolment/attendance/permissions.contract.ts'
import { catalogue } from '#areas/study/catalogue/permissions.contract.ts'
import { conversation } from '#areas/people/conversation/permissions.contract.ts'
import { examDays } from '#areas/exams/exam-days/permissions.contract.ts'
import { exams } from '#areas/exams/exams/permissions.contract.ts'
import { grading } from '#areas/records/grading/permissions.contract.ts'
import { merging } from '#areas/records/merging/permissions.contract.ts'
import { offerings } from '#areas/study/offerings/permissions.contract.ts'
import { oneroster } from '#areas/office/oneroster/permissions.contract.ts'
import { people } from '#areas/people/people/permissions.contract.ts'
import { placementTests } from '#areas/records/placement-tests/permissions.contract.ts'
import { registration } from '#areas/enrolment/registration/permissions.contract.ts'
import { reports } from '#areas/office/reports/permissions.contract.ts'
import { scheduling } from '#areas/study/scheduling/permissions.contract.ts'
import { settings } from '#areas/common/settings/permissions.contract.ts'
import { specializations } from '#areas/enrolment/specializations/permissions.contract.ts'
import { students } from '#areas/records/students/permissions.contract.ts'
import { tags } from '#areas/people/tags/permissions.contract.ts'
import { terms } from '#areas/study/terms/permissions.contract.ts'
import { degreeAudit } from '#areas/records/degree-audit/permissions.contract.ts'
import { transfers } from '#areas/enrolment/transfers/permissions.contract.ts'
import { levelResults } from '#areas/records/level-results/permissions.contract.ts'
import { ledger } from '#areas/money/ledger/permissions.contract.ts'
import { banks } from '#areas/money/banks/permissions.contract.ts'
import { invoices } from '#areas/money/invoices/permissions.contract.ts'
import { collecting } from '#areas/money/collecting/permissions.contract.ts'
import { transactions } from '#areas/money/transactions/permissions.contract.ts'
import { fees } from '#areas/money/fees/permissions.contract.ts'
import { sponsors } from '#areas/money/sponsors/permissions.contract.ts'
import { documents } from '#areas/records/documents/permissions.contract.ts'
import { hotels } from '#areas/campus/hotels/permissions.contract.ts'
import { kindsOf } from './reach.contract.ts'
import type { Kind, Said } from './reach.contract.ts'
import { admissions } from '#areas/admission/admissions/permissions.contract.ts'
import { applicants } from '#areas/admission/applicants/permissions.contract.ts'
import { admissionPayments } from '#areas/admission/admission-payments/permissions.contract.ts'
import { distribution } from '#areas/admission/distribution/permissions.contract.ts'
import { entranceExams } from '#areas/admission/entrance-exams/permissions.contract.ts'
import { applicantImports } from '#areas/admission/applicant-imports/permissions.contract.ts'
import { certificates } from '#areas/office/certificates/permissions.contract.ts'
import { questionnaires } from '#areas/quality/questionnaires/permissions.contract.ts'
import { specifications } from '#areas/quality/specifications/permissions.contract.ts'
import { services } from '#areas/office/services/permissions.contract.ts'
import { courseFiles } from '#areas/quality/course-files/permissions.contract.ts'
import { theses } from '#areas/research/theses/permissions.contract.ts'
import { publications } from '#areas/research/publications/permissions.contract.ts'
import { projects } from '#areas/research/projects/permissions.contract.ts'
import { internship } from '#areas/practice/internship/permissions.contract.ts'
import { trainings } from '#areas/practice/trainings/permissions.contract.ts'
import { logbook } from '#areas/practice/logbook/permissions.contract.ts'
import { earlyWarning } from '#areas/enrolment/early-warning/permissions.contract.ts'
import { returns } from '#areas/office/returns/permissions.contract.ts'

/**
 * The catalogue of permissions: each area states its own in `permissions.contract.ts`, with their names. Keys of the
 * documents are used verbatim, misspelt ones included; new ones follow `verb_subject`. A call or a screen can only name a
 * key that stands there: anything else does not compile. After its names a key says how far it reaches, where that is not
 * all of the university and parts of it.
 */
const AREAS = {
  returns,
  logbook,
  internship,
  earlyWarning,
  trainings,
  theses,
  projects,
  publications,
  courseFiles,
  specifications,
  questionnaires,
  services,
  certificates,
  hotels,
  admissionPayments,
  entranceExams,
  applicantImports,
  applicants,
  distribution,
  admissions,
  documents,
  sponsors,
  transactions,
  collecting,
  invoices,
  ledger,
  banks,
  fees,
  degreeAudit,
  transfers,
  levelResults,
  accessAndPeople,
  archive,
  attendance,
  catalogue,
  conversation,
  examDays,
  exams,
  grading,
  merging,
  offerings,
  oneroster,
  people,
  placementTests,
  registration,
  reports,
  scheduling,
  settings,
  specializations,
  students,
  tags,
  terms,
} as const
type Stated = (typeof AREAS)[keyof typeof AREAS]
type KeysOf<S extends Section, A = Stated> = A extends { readonly [K in S]: infer T } ? keyof T & string : never

type Label = readonly [en: string, ar: string]
/** What is called so, and how far it reaches where that is not everywhere and in parts (`Said`). */
type Statement = readonly [en: string, ar: string, ...said: readonly Said[]]
/**
 * `subjects`: plain resources, with the eight verbs. `lookups`: the same, and everybody who works here looks them up,
 * registrars change them. `requests`: what students ask for; who sees them and who decides stands in `roles.contract.ts` and `academic-roles.contract.ts`.
 * `rights`: keys that stand for themselves.
 */
type Section = 'subjects' | 'lookups' | 'requests' | 'rights'

/** Verbs of a plain resource and how they are called in the matrix of rights. */
export const VERBS = {
  access: ['List', 'عرض القائمة'],
  show: ['Show', 'فتح السجل'],
  add: ['Add', 'إضافة'],
  edit: ['Change', 'تعديل'],
  remove: ['Remove', 'حذف'],
  restore: ['Restore', 'استعادة'],
  export: ['Export', 'تصدير'],
  import: ['Import', 'استيراد'],
} as const satisfies Record<string, Label>
export type CrudVerb = keyof typeof VERBS
/** The verbs alone, in the order in which they are read. */
export const CRUD_VERBS = Object.keys(VERBS) as CrudVerb[]

/** Verbs of what students ask for. */
export const REQUEST_VERBS = {
  access: VERBS.access,
  show: VERBS.show,
  add: ['Ask for', 'تقديم الطلب'],
  decide: ['Decide', 'البت في الطلب'],
  export: VERBS.export,
} as const satisfies Record<string, Label>
export type RequestVerb = keyof typeof REQUEST_VERBS
/** What a verb is called of records, and of what is asked for. */
export const verbCalled = (verb: string): readonly Label[] =>
  [VERBS[verb as CrudVerb], REQUEST_VERBS[verb as RequestVerb]].filter((word) => word !== undefined)

/** Subjects that everybody who works here looks up. */
export type Lookup = KeysOf<'lookups'>
export type Subject = KeysOf<'subjects'> | Lookup
interface Keys {
  readonly subjects: `${CrudVerb}_${Subject}`
  readonly requests: `${RequestVerb}_${KeysOf<'requests'>}`
  readonly rights: KeysOf<'rights'>
}
export type PermissionKey = Keys[keyof Keys]

const stated = (section: Section): [key: string, label: Statement][] =>
  Object.values(AREAS).flatMap((area: Partial<Record<Section, Readonly<Record<string, Statement>>>>) =>
    Object.entries(area[section] ?? {}),
  )
/** Every verb of these subjects, with what it is called. */
const keysOf = (verbs: Readonly<Record<string, Label>>, subjects: readonly [key: string, label: Statement][]) =>
  subjects.flatMap(([subject, label]) =>
    Object.entries(verbs).map(
      ([verb, word]) =>
        [`${verb}_${subject}` as PermissionKey, [`${word[0]}: ${label[0]}`, `${word[1]}: ${label[1]}`]] as const,
    ),
  )

export const LOOKUPS = stated('lookups').map(([key]) => key) as Lookup[]
export const REQUESTS: readonly string[] = stated('requests').map(([key]) => key)

/** What every key of the catalogue is called. */
export const PERMISSIONS: ReadonlyMap<PermissionKey, Label> = new Map([
  ...keysOf(VERBS, [...stated('subjects'), ...stated('lookups')]),
  ...keysOf(REQUEST_VERBS, stated('requests')),
  ...stated('rights').map(([key, [en, ar]]) => [key as PermissionKey, [en, ar]] as const),
])

/** Who asks sees the own, the advisor follows. */
const REQUESTED: readonly Said[] = ['own', 'advised']
const KNOWN: ReadonlyMap<string, ReadonlySet<Kind>> = new Map([
  ...[...stated('subjects'), ...stated('lookups')].flatMap(([subject, [, , ...said]]) =>
    Object.keys(VERBS).map((verb) => [`${verb}_${subject}`, kindsOf(said)] as const),
  ),
  ...stated('requests').flatMap(([subject, [, , ...said]]) =>
    Object.keys(REQUEST_VERBS).map((verb) => [`${verb}_${subject}`, kindsOf([...REQUESTED, ...said])] as const),
  ),
  ...stated('rights').map(([key, [, , ...said]]) => [key, kindsOf(said)] as const),
])
const NONE: ReadonlySet<Kind> = new Set()
/** The kinds of reach that a right knows. Another one is not given, and reaches nothing where it stands. */
export const kindsKnown = (key: string): ReadonlySet<Kind> => KNOWN.get(key) ?? NONE

/**
 * What of a reach counts: the reach itself where the right knows it. A right that is held further than it knows still reaches
 * the own record where it knows that; anything else reaches nothing (null).
 */
export const counting = (key: string, kind: Kind): Kind | null => {
  const known = kindsKnown(key)
  if (known.has(kind)) return kind
  return (kind === 'university' || kind === 'part') && known.has('own') ? 'own' : null
}

/** Every key of the catalogue. */
export const PERMISSION_KEYS: readonly PermissionKey[] = [...PERMISSIONS.keys()]

export { crud } from './crud.contract.ts'

/** The same by the area that states them, for the matrix of rights. */
export const PERMISSION_AREAS: readonly { readonly area: string; readonly keys: readonly PermissionKey[] }[] =
  Object.entries(AREAS).map(
    ([area, stated]: [string, Partial<Record<Section, Readonly<Record<string, Statement>>>>]) => ({
      area,
      keys: [
        ...keysOf(VERBS, [...Object.entries(stated.subjects ?? {}), ...Object.entries(stated.lookups ?? {})]),
        ...keysOf(REQUEST_VERBS, Object.entries(stated.requests ?? {})),
      ]
        .map(([key]) => key)
        .concat(Object.keys(stated.rights ?? {}) as PermissionKey[]),
    }),
  )
