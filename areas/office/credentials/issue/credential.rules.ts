import type { JsonObject } from '../verify/values.rules.ts'

/** Kinds of paper that are given out as a credential, by what Open Badges call such an achievement. */
export const CREDENTIAL_KINDS: Readonly<Record<string, string>> = {
  transcript: 'ext:TranscriptOfRecords',
  enrollment_certificate: 'Membership',
  graduation_certificate: 'Degree',
  master_certificate: 'MasterDegree',
}

/** A course as the data of a transcript have it. */
export interface PaperCourse {
  readonly code: string | null
  readonly name?: string | null
  readonly name_local?: string | null
  readonly hours: number
  readonly letter: string | null
  readonly mark?: string | null
  readonly maximum?: number | null
  readonly passed?: boolean | null
  /** Code of the term here; not of one that was credited. */
  readonly term?: string
}
/** What a paper says, as it was issued. */
export interface PaperFacts {
  readonly kind: string
  readonly lang: 'ar' | 'en'
  readonly serial: string
  readonly code: string
  readonly title: { readonly name: string; readonly name_local: string }
  readonly holder: { readonly name: string; readonly name_local: string }
  readonly facts: readonly {
    readonly label: string
    readonly label_local: string
    readonly value: string
    readonly value_local: string
  }[]
  readonly disclosure: 'everything' | 'name' | 'nothing'
  /** ISO. */
  readonly issued_at: string
  readonly courses: readonly PaperCourse[]
  /** Terms by code, with their last day. */
  readonly terms: Readonly<Record<string, { readonly name: string; readonly name_local: string; readonly end: string }>>
}

const OWN_TERMS = {
  courseCode: 'https://schema.org/courseCode',
  numberOfCredits: { '@id': 'https://schema.org/numberOfCredits', '@type': 'http://www.w3.org/2001/XMLSchema#decimal' },
  endDate: { '@id': 'https://schema.org/endDate', '@type': 'http://www.w3.org/2001/XMLSchema#date' },
} as const

/**
 * The credential of a paper before it is signed: W3C VC 2.0 and an Open Badge 3.0. What the holder does not disclose is not in it.
 *
 * @param issuer who issues it, by its DID; `address`: where the university's application is
 */
export function credentialOf(
  paper: PaperFacts,
  {
    issuer,
    address,
    subject,
    list,
    position,
  }: {
    issuer: { readonly id: string; readonly name: string; readonly name_local: string }
    address: string
    /** A number for the holder that stands in no other credential. */
    subject: string
    list: number
    position: number
  },
): JsonObject {
  const said = (one: { readonly name: string; readonly name_local: string }): string =>
    paper.lang === 'ar' ? one.name_local : one.name
  const id = `${address}/qr_code/${paper.code}`
  const everything = paper.disclosure === 'everything'
  const facts = everything ? paper.facts : []
  const courses = everything ? paper.courses : []
  const until =
    paper.kind === 'enrollment_certificate' ? paper.facts.find(({ label }) => label === 'Meant until') : null
  const results = [
    ...facts.map((fact, i) => ({
      description: {
        id: `${id}#fact-${i + 1}`,
        type: ['ResultDescription'],
        name: paper.lang === 'ar' ? fact.label_local : fact.label,
        resultType: fact.label === 'Cumulative GPA' ? 'GradePointAverage' : 'ext:Statement',
      },
      result: {
        type: ['Result'],
        resultDescription: `${id}#fact-${i + 1}`,
        value: paper.lang === 'ar' ? fact.value_local : fact.value,
      },
    })),
    ...courses.map((course, i) => {
      const ended = course.term === undefined ? undefined : paper.terms[course.term]?.end
      const grade =
        course.letter ?? (course.mark ? `${course.mark}${course.maximum ? ` / ${course.maximum}` : ''}` : null)
      return {
        description: {
          id: `${id}#course-${i + 1}`,
          type: ['ResultDescription'],
          name: said({
            name: course.name ?? course.code ?? '–',
            name_local: course.name_local ?? course.name ?? course.code ?? '–',
          }),
          resultType: course.letter === null ? 'RawScore' : 'LetterGrade',
        },
        result: {
          type: ['Result'],
          resultDescription: `${id}#course-${i + 1}`,
          ...(grade !== null && { value: grade }),
          ...(course.passed !== null &&
            course.passed !== undefined && { status: course.passed ? 'Completed' : 'Failed' }),
          ...(course.code && { courseCode: course.code }),
          numberOfCredits: String(course.hours),
          ...(ended !== undefined && { endDate: ended }),
        },
      }
    }),
  ]
  const title = said(paper.title)
  const program = facts.find(({ label }) => label === 'Program')
  const statusList = `${address}/api/credential-lists/${list}`
  return {
    '@context': [
      'https://www.w3.org/ns/credentials/v2',
      'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
      ...(courses.length ? [OWN_TERMS] : []),
    ],
    id,
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
    name: `${title} ${paper.serial}`,
    issuer: { id: issuer.id, type: ['Profile'], name: said(issuer), url: address },
    validFrom: `${new Date(paper.issued_at).toISOString().slice(0, 19)}Z`,
    ...(until && { validUntil: `${until.value}T23:59:59Z` }),
    credentialStatus: {
      id: `${statusList}#${position}`,
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: String(position),
      statusListCredential: statusList,
    },
    credentialSubject: {
      id: subject,
      type: ['AchievementSubject'],
      ...(paper.disclosure !== 'nothing' && {
        identifier: [{ type: 'IdentityObject', hashed: false, identityHash: said(paper.holder), identityType: 'name' }],
      }),
      achievement: {
        id: `${id}#achievement`,
        type: ['Achievement'],
        achievementType: CREDENTIAL_KINDS[paper.kind]!,
        name: program ? `${title}: ${paper.lang === 'ar' ? program.value_local : program.value}` : title,
        description: title,
        criteria: { narrative: `${title} ${paper.serial}` },
        ...(results.length && { resultDescription: results.map(({ description }) => description) }),
      },
      ...(results.length && { result: results.map(({ result }) => result) }),
    },
  }
}

/** The DID of the university: `did:web` of the address under which people reach it. */
export function didOf(address: string): string {
  const [, host = '', path = ''] = /^https?:\/\/([^/]+)(\/.*)?$/.exec(address) ?? []
  return `did:web:${host.replace(':', '%3A')}${path.replace(/\/+$/, '').replaceAll('/', ':')}`
}

/** What the university says of its keys. Those of before stay, so that what they signed is verified. */
export const didDocument = (did: string, keys: readonly string[]): JsonObject => ({
  '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
  id: did,
  verificationMethod: keys.map((key) => ({
    id: `${did}#${key}`,
    type: 'Multikey',
    controller: did,
    publicKeyMultibase: key,
  })),
  assertionMethod: keys.map((key) => `${did}#${key}`),
})
