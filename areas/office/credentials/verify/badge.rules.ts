/**
 * The rules of Open Badges 3.0 (1EdTech, final release of 2024) for what a badge is made of: types, what each needs, and what
 * its values are. After the information model of the specification.
 */
import { because, instantOf, isObject, isUrl, listed, typesOf } from './values.rules.ts'
import type { CredentialReason, JsonObject } from './values.rules.ts'
import { checkCredential, periodNames, versionOf } from './model.rules.ts'

type Kind =
  | 'text'
  | 'url'
  | 'moment'
  | 'day'
  | 'number'
  | 'yes_no'
  | 'email'
  | 'language'
  | 'country'
  | 'token'
  | readonly string[]
  | { readonly is: keyof typeof CLASSES; readonly orUrl?: boolean }
interface Property {
  readonly kind: Kind
  readonly needed?: boolean
  /** There may be several. */
  readonly many?: boolean
}
type Class = {
  /** The name that has to be among the types; null: it needs none. */
  readonly type: string | null
  readonly has: Readonly<Record<string, Property>>
}

const RESULT_TYPES = [
  'GradePointAverage',
  'LetterGrade',
  'Percent',
  'PerformanceLevel',
  'PredictedScore',
  'RawScore',
  'Result',
  'RubricCriterion',
  'RubricCriterionLevel',
  'RubricScore',
  'ScaledScore',
  'Status',
]
const ACHIEVEMENT_TYPES =
  'Achievement ApprenticeshipCertificate Assessment Assignment AssociateDegree Award Badge BachelorDegree Certificate CertificateOfCompletion Certification CommunityService Competency Course CoCurricular Degree Diploma DoctoralDegree Fieldwork GeneralEducationDevelopment JourneymanCertificate LearningProgram License Membership ProfessionalDoctorate QualityAssuranceCredential MasterCertificate MasterDegree MicroCredential ResearchDoctorate SecondarySchoolDiploma'.split(
    ' ',
  )
const IDENTIFIER_TYPES =
  'name sourcedId systemId productId userName accountId emailAddress nationalIdentityNumber isbn issn lisSourcedId oneRosterSourcedId sisSourcedId ltiContextId ltiDeploymentId ltiToolId ltiPlatformId ltiUserId identifier'.split(
    ' ',
  )
const TARGET_TYPES =
  'ceasn:Competency ceterms:Credential CFItem CFRubric CFRubricCriterion CFRubricCriterionLevel CTDL'.split(' ')
const STATUSES = ['Completed', 'Enrolled', 'Failed', 'InProgress', 'OnHold', 'Provisional', 'Withdrew']

const text = { kind: 'text' } as const
const url = { kind: 'url' } as const
const needed = <P extends Property>(property: P) => ({ ...property, needed: true }) as const
const many = <P extends Property>(property: P) => ({ ...property, many: true }) as const
const endorsed = {
  endorsement: { kind: { is: 'EndorsementCredential' }, many: true },
  endorsementJwt: { kind: 'token', many: true },
} as const
const alignment = { kind: { is: 'Alignment' }, many: true } as const
const image = { kind: { is: 'Image' } } as const

const CLASSES = {
  Achievement: {
    type: 'Achievement',
    has: {
      id: needed(url),
      alignment,
      achievementType: { kind: ACHIEVEMENT_TYPES },
      creator: { kind: { is: 'Profile' } },
      creditsAvailable: { kind: 'number' },
      criteria: { kind: { is: 'Criteria' }, needed: true },
      description: needed(text),
      ...endorsed,
      fieldOfStudy: text,
      humanCode: text,
      image,
      inLanguage: { kind: 'language' },
      name: needed(text),
      otherIdentifier: { kind: { is: 'IdentifierEntry' }, many: true },
      related: { kind: { is: 'Related' }, many: true },
      resultDescription: { kind: { is: 'ResultDescription' }, many: true },
      specialization: text,
      tag: many(text),
      version: text,
    },
  },
  AchievementSubject: {
    type: 'AchievementSubject',
    has: {
      id: url,
      activityEndDate: { kind: 'moment' },
      activityStartDate: { kind: 'moment' },
      creditsEarned: { kind: 'number' },
      achievement: { kind: { is: 'Achievement' }, needed: true },
      identifier: { kind: { is: 'IdentityObject' }, many: true },
      image,
      licenseNumber: text,
      narrative: text,
      result: { kind: { is: 'Result' }, many: true },
      role: text,
      source: { kind: { is: 'Profile' } },
      term: text,
    },
  },
  Address: {
    type: 'Address',
    has: {
      addressCountry: text,
      addressCountryCode: { kind: 'country' },
      addressRegion: text,
      addressLocality: text,
      streetAddress: text,
      postOfficeBoxNumber: text,
      postalCode: text,
      geo: { kind: { is: 'GeoCoordinates' } },
    },
  },
  Alignment: {
    type: 'Alignment',
    has: {
      targetCode: text,
      targetDescription: text,
      targetName: needed(text),
      targetFramework: text,
      targetType: { kind: TARGET_TYPES },
      targetUrl: needed(url),
    },
  },
  Criteria: { type: null, has: { id: url, narrative: text } },
  EndorsementSubject: { type: 'EndorsementSubject', has: { id: needed(url), endorsementComment: text } },
  Evidence: {
    type: 'Evidence',
    has: { id: url, narrative: text, name: text, description: text, genre: text, audience: text },
  },
  GeoCoordinates: {
    type: 'GeoCoordinates',
    has: { latitude: { kind: 'number', needed: true }, longitude: { kind: 'number', needed: true } },
  },
  IdentifierEntry: {
    type: 'IdentifierEntry',
    has: { identifier: needed(text), identifierType: { kind: IDENTIFIER_TYPES, needed: true } },
  },
  IdentityObject: {
    type: 'IdentityObject',
    has: {
      hashed: { kind: 'yes_no', needed: true },
      identityHash: needed(text),
      identityType: { kind: IDENTIFIER_TYPES, needed: true },
      salt: text,
    },
  },
  Image: { type: 'Image', has: { id: needed(url), caption: text } },
  Profile: {
    type: 'Profile',
    has: {
      id: needed(url),
      name: text,
      url,
      phone: text,
      description: text,
      ...endorsed,
      image,
      email: { kind: 'email' },
      address: { kind: { is: 'Address' } },
      otherIdentifier: { kind: { is: 'IdentifierEntry' }, many: true },
      official: text,
      parentOrg: { kind: { is: 'Profile' } },
      familyName: text,
      givenName: text,
      additionalName: text,
      patronymicName: text,
      honorificPrefix: text,
      honorificSuffix: text,
      familyNamePrefix: text,
      dateOfBirth: { kind: 'day' },
    },
  },
  Related: { type: 'Related', has: { id: needed(url), inLanguage: { kind: 'language' }, version: text } },
  Result: {
    type: 'Result',
    has: { achievedLevel: url, alignment, resultDescription: url, status: { kind: STATUSES }, value: text },
  },
  ResultDescription: {
    type: 'ResultDescription',
    has: {
      id: needed(url),
      alignment,
      allowedValue: many(text),
      name: needed(text),
      requiredLevel: url,
      requiredValue: text,
      resultType: { kind: RESULT_TYPES, needed: true },
      rubricCriterionLevel: { kind: { is: 'RubricCriterionLevel' }, many: true },
      valueMax: text,
      valueMin: text,
    },
  },
  RubricCriterionLevel: {
    type: 'RubricCriterionLevel',
    has: { id: needed(url), alignment, description: text, level: text, name: needed(text), points: text },
  },
  EndorsementCredential: { type: 'EndorsementCredential', has: {} },
} as const satisfies Record<
  string,
  { type: string | null; has: Record<string, { kind: unknown; needed?: boolean; many?: boolean }> }
>

const BADGE_CONTEXT = /^https:\/\/purl\.imsglobal\.org\/spec\/ob\/v3p0\/context(-3\.\d\.\d)?\.json$/
const BADGES = ['OpenBadgeCredential', 'AchievementCredential', 'EndorsementCredential']
/** Whether a credential says of itself that it is an Open Badge, or an endorsement of one. */
export const isBadge = (credential: JsonObject): boolean => typesOf(credential).some((type) => BADGES.includes(type))

/** What Open Badges ask of a credential beyond the data model. */
export function checkBadge(credential: JsonObject, at = ''): CredentialReason[] {
  const path = (name: string) => (at ? `${at}.${name}` : name)
  const endorsement = typesOf(credential).includes('EndorsementCredential')
  const version = versionOf(credential) ?? 2
  const missing = ['id', 'name', 'issuer', periodNames(version)[0]].flatMap((name) =>
    credential[name] === undefined ? [because('vc_missing', { at: path(name) })] : [],
  )
  return [
    ...(listed(credential['@context']).some((one) => typeof one === 'string' && BADGE_CONTEXT.test(one))
      ? []
      : [because('vc_wrong_value', { at: path('@context') })]),
    ...missing,
    ...checkValue(credential.issuer, path('issuer'), { kind: { is: 'Profile', orUrl: true } }),
    ...listed(credential.credentialSubject).flatMap((subject) =>
      checkClass(subject, path('credentialSubject'), endorsement ? 'EndorsementSubject' : 'AchievementSubject'),
    ),
    ...(endorsement
      ? []
      : listed(credential.credentialSubject).flatMap((one) => checkWho(one, path('credentialSubject')))),
    ...(
      [
        ['name', text],
        ['description', text],
        ['image', image],
        ['awardedDate', { kind: 'moment' }],
        ['evidence', { kind: { is: 'Evidence' }, many: true }],
        ['endorsement', endorsed.endorsement],
        ['endorsementJwt', endorsed.endorsementJwt],
      ] as const
    ).flatMap(([name, property]) => checkValue(credential[name], path(name), property)),
  ]
}

/** A subject is told by its id or by identifiers (section 4.3 of the implementation guide). */
const checkWho = (subject: unknown, at: string): CredentialReason[] =>
  isObject(subject) && subject.id === undefined && !listed(subject.identifier).length
    ? [because('vc_missing', { at: `${at}.id` })]
    : []

function checkClass(value: unknown, at: string, name: keyof typeof CLASSES): CredentialReason[] {
  if (!isObject(value)) return [because('vc_not_object', { at })]
  if (name === 'EndorsementCredential') return [...checkCredential(value, { at }), ...checkBadge(value, at)]
  const { type, has }: Class = CLASSES[name]
  return [
    ...(type === null || typesOf(value).includes(type) ? [] : [because('vc_wrong_type', { at, type })]),
    ...Object.entries(has).flatMap(([key, property]) =>
      value[key] === undefined
        ? property.needed
          ? [because('vc_missing', { at: `${at}.${key}` })]
          : []
        : checkValue(value[key], `${at}.${key}`, property),
    ),
  ]
}

function checkValue(value: unknown, at: string, property: Property): CredentialReason[] {
  if (value === undefined) return []
  if (Array.isArray(value)) {
    if (!property.many) return [because('vc_wrong_value', { at })]
    return value.flatMap((one: unknown, i) => checkOne(one, `${at}[${i}]`, property.kind))
  }
  return checkOne(value, at, property.kind)
}

const FITS: Readonly<Record<Extract<Kind, string>, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  url: isUrl,
  moment: (value) => instantOf(value) !== null,
  day: (value) => typeof value === 'string' && instantOf(`${value}T00:00:00Z`) !== null,
  number: (value) => typeof value === 'number',
  yes_no: (value) => typeof value === 'boolean',
  email: (value) => typeof value === 'string' && /^[^\s@]+@[^\s@]+$/.test(value),
  language: (value) => typeof value === 'string' && /^[a-z]{2,4}(-[A-Za-z\d]{1,8})*$/.test(value),
  country: (value) => typeof value === 'string' && /^[A-Z]{2}$/.test(value),
  token: (value) => typeof value === 'string' && /^[\w-]+\.[\w-]*\.[\w-]+$/.test(value),
}
function checkOne(value: unknown, at: string, kind: Kind): CredentialReason[] {
  if (typeof kind === 'string')
    return FITS[kind](value)
      ? []
      : [because(kind === 'url' ? 'vc_not_url' : kind === 'moment' ? 'vc_not_date' : 'vc_wrong_value', { at })]
  // Words of one's own begin with `ext:`.
  if (isWords(kind))
    return typeof value === 'string' && (kind.includes(value) || /^ext:[\w.-]+/.test(value))
      ? []
      : [because('vc_wrong_value', { at })]
  if (kind.orUrl && typeof value === 'string') return isUrl(value) ? [] : [because('vc_not_url', { at })]
  return checkClass(value, at, kind.is)
}
const isWords = (kind: Exclude<Kind, string>): kind is readonly string[] => Array.isArray(kind)
