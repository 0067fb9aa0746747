import { z } from 'zod'
import {
  bulkResult,
  call,
  f,
  id,
  idParam,
  jobStarted,
  listOf,
  listQuery,
  problem,
  ref,
  resource,
  safeText,
} from '#kit/contract/index.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { APPLICANT_STATUSES } from '#areas/admission/applicants/words.contract.ts'

const STATES = [
  { value: 'previewed', label: ['Previewed', 'معاينة'], tone: 'waiting' },
  { value: 'confirmed', label: ['Confirmed', 'معتمدة'], tone: 'done' },
  { value: 'discarded', label: ['Discarded', 'مستبعد'], tone: 'frozen' },
] as const

/** What a step with a distribution looks at. */
export interface RunFacts {
  /** People still apply. */
  readonly open: boolean
  readonly assigned: number
  /** Another run of its round was confirmed. */
  readonly over: boolean
  /** Of those who were given a seat, whoever has gone on with it or lost it. */
  readonly moved: number
}
export const checkConfirming = ({ open, assigned, over }: RunFacts): Reason[] => [
  ...(open ? [{ code: 'distribution_admission_open' }] : []),
  ...(assigned ? [] : [{ code: 'distribution_nobody' }]),
  ...(over ? [{ code: 'distribution_outdated' }] : []),
]
export const checkTakingBack = ({ moved }: RunFacts): Reason[] =>
  moved ? [{ code: 'distribution_seats_offered', data: { count: moved } }] : []

/** The way of a distribution: previewed, then confirmed or discarded. */
export const distributionFlow = workflow<RunFacts>()({
  name: 'distribution',
  one: ['Distribution', 'تنسيق'],
  field: 'status',
  states: [STATES[0], STATES[1], { ...STATES[2], sometimes: true }],
  actions: {
    confirm: {
      label: ['Confirm', 'اعتماد'],
      summary: ['Confirm a distribution', 'اعتماد تنسيق'],
      call: ['PUT', '/distribution-runs/confirm/{id}'],
      permission: 'distribute_applicants',
      from: { previewed: 'confirmed' },
      needs: checkConfirming,
      consequence: [
        'Everybody in it has the seat that it shows. Seats are offered from the day on which results are shown.',
        'يحصل كل متقدم على المقعد الظاهر، وتُعرض المقاعد من يوم إعلان النتائج.',
      ],
      irreversible: true,
      long: true,
    },
    discard: {
      label: ['Discard', 'استبعاد'],
      summary: ['Discard a preview', 'استبعاد معاينة تنسيق'],
      call: ['PUT', '/distribution-runs/discard/{id}'],
      permission: 'distribute_applicants',
      from: { previewed: 'discarded' },
      tone: 'refused',
    },
    take_back: {
      label: ['Take back', 'تراجع'],
      summary: ['Take a distribution back before seats are offered', 'التراجع عن تنسيق قبل عرض المقاعد'],
      call: ['PUT', '/distribution-runs/take-back/{id}'],
      permission: 'distribute_applicants',
      from: { confirmed: 'discarded' },
      needs: checkTakingBack,
      reason: 'required',
      tone: 'refused',
    },
  },
  history: { path: '/distribution-runs/steps/{id}', permission: 'access_distribution' },
})
export const distributionSteps = workflowCalls(distributionFlow)

const figure = (label: readonly [string, string]) => f.integer(label, { readOnly: true, max: 1_000_000_000 })
/** A run: what it stood on, what it gave, its proof. */
export const distributionRun = resource({
  name: 'distributionRun',
  path: '/distribution-runs',
  table: 'distribution_runs',
  one: ['Distribution', 'تنسيق'],
  many: ['Distributions', 'عمليات التنسيق'],
  adding: ['Add distribution', 'إضافة تنسيق'],
  editing: ['Edit distribution', 'تعديل تنسيق'],
  permissions: {
    list: 'access_distribution',
    show: 'access_distribution',
    add: null,
    edit: null,
    remove: null,
    restore: null,
    export: null,
    import: null,
  },
  scope: 'university',
  fields: {
    code: f.code(['Number', 'الرقم'], { readOnly: true, max: 30 }),
    admission_id: f.lookup(['Admission', 'فترة القبول'], 'admission', { readOnly: true }),
    status: f.choice(['Status', 'الحالة'], STATES, { readOnly: true }),
    round: f.integer(['Round', 'المرحلة'], { readOnly: true, max: 100 }),
    applicants: figure(['Applicants', 'المتقدمون']),
    assigned: figure(['With a seat', 'حصلوا على مقعد']),
    first_preferences: figure(['First wish', 'الرغبة الأولى']),
    programs: figure(['Programs', 'البرامج']),
    seats: figure(['Seats', 'الأماكن']),
    blocking_pairs: figure(['Passed over', 'تم تخطيهم']),
    created_at: f.instant(['Made', 'تاريخ الإجراء'], { readOnly: true }),
    confirmed_at: f.instant(['Confirmed at', 'تاريخ الاعتماد'], { readOnly: true }),
  },
  list: {
    columns: [
      'code',
      'admission_id',
      'round',
      'status',
      'applicants',
      'assigned',
      'first_preferences',
      'seats',
      'created_at',
    ],
    search: ['code'],
    sort: ['code', 'created_at', 'assigned'],
    filters: ['admission_id', 'status'],
    order: ['created_at', 'desc'],
  },
  exportName: 'Distributions',
  softDelete: false,
  screens: { list: '/distribution-runs', show: '/distribution-runs/:id' },
  sections: [
    { title: ['Distribution', 'التنسيق'], fields: ['admission_id', 'round', 'status', 'created_at', 'confirmed_at'] },
    {
      title: ['Result', 'النتيجة'],
      fields: ['applicants', 'assigned', 'first_preferences', 'programs', 'seats', 'blocking_pairs'],
    },
  ],
  parent: '/distribution_applicants',
})

const status = z.enum(APPLICANT_STATUSES.map(({ value }) => value))
/** How a program stands in a run. Ranks count from 1; null: nobody. Scores are decimal texts. */
const programStanding = z.object({
  program: ref,
  seats: z.int(),
  wished_first: z.int(),
  filled: z.int(),
  given_first: z.int(),
  ranked: z.int(),
  last_rank: z.int().nullable(),
  last_score: z.string().nullable(),
  groups: z.array(
    z.object({
      name: z.string(),
      name_local: z.string(),
      reserved: z.int(),
      maximum: z.int().nullable(),
      admitted: z.int(),
      last_rank: z.int().nullable(),
    }),
  ),
})
export type RunProgramStanding = z.output<typeof programStanding>

/** Why somebody has another program than in the run before. */
export const MOVED_BY = [
  { value: 'wishes', label: ['Other wishes', 'تغيرت الرغبات'], tone: 'active' },
  { value: 'result', label: ['Another result', 'تغيرت النتيجة'], tone: 'active' },
  { value: 'seats', label: ['Other seats', 'تغيرت الأماكن'], tone: 'waiting' },
  { value: 'others', label: ['Others came or went', 'تغير المتقدمون الآخرون'], tone: 'draft' },
] as const
const placeRow = z.object({
  id,
  code: z.string(),
  name: z.string().nullable(),
  name_local: z.string().nullable(),
  status,
  program: ref.nullable(),
  preference: z.int().nullable(),
  wishes: z.int(),
  score: z.string().nullable(),
  /** In the run before; absent there: undefined. */
  before: ref.nullable(),
  moved: z.enum(MOVED_BY.map(({ value }) => value)).nullable(),
})
export type PlaceRow = z.output<typeof placeRow>

/** What became of a wish. Ranks count from 1. */
export const ladderRung = z.object({
  preference: z.int(),
  program: ref,
  outcome: z.enum(['given', 'not_needed', 'not_offered', 'not_ranked', 'refused']),
  rank: z.int().nullable(),
  last_rank: z.int().nullable(),
  group_last_rank: z.int().nullable(),
  reasons: z.array(problem),
})
export type LadderRung = z.output<typeof ladderRung>
const ladder = z.object({ run: ref, applicant: ref, score: z.string().nullable(), rungs: z.array(ladderRung) })
export type ApplicantLadder = z.output<typeof ladder>

const seat = z.strictObject({
  program_id: id,
  /** Conditions of the program that are not met are passed over; seats never are. */
  exception: z.boolean().optional(),
  reason: safeText(500).optional(),
})
const seated = z.object({ data: z.object({ id, status, program: ref.nullable() }) })

export const distributionRunCalls = {
  distribute: call('POST', '/applicants/bulk/distribution', {
    permission: 'distribute_applicants',
    summary: ['Distribute the applicants of an admission, as a preview', 'معاينة تنسيق متقدمي فترة قبول'],
    body: z.strictObject({ admission_id: id }),
    response: z.object({ data: jobStarted }),
    example: { admission_id: 7 },
  }),
  programs: call('GET', '/distribution-runs/programs/{id}', {
    permission: 'access_distribution',
    summary: ['How programs stand in a distribution', 'موقف البرامج في تنسيق'],
    response: z.object({
      data: z.array(programStanding),
      details: z.object({
        /** What proves it, and what it stood on: hexadecimal digits. */
        input_hash: z.string(),
        result_hash: z.string(),
        lot_seed: z.string(),
        proof: z.record(z.string(), z.unknown()),
        before: ref.nullable(),
        /** Against the run before: who has a better wish, a worse one, came in, lost a seat. */
        moves: z.object({ better: z.int(), worse: z.int(), gained: z.int(), lost: z.int() }).nullable(),
      }),
    }),
  }),
  places: call('POST', '/distribution-runs/places/{id}', {
    permission: 'access_distribution',
    summary: ['Applicants of a distribution, with what they were given', 'متقدمو تنسيق وما حصلوا عليه'],
    body: listQuery,
    response: listOf(placeRow),
    reads: true,
  }),
  ladder: call('GET', '/distribution-runs/ladder/{id}/{applicant}', {
    permission: 'access_distribution',
    params: z.object({ id: idParam, applicant: idParam }),
    summary: ['What became of each wish of an applicant, and why', 'مآل كل رغبة لمتقدم وسببه'],
    response: z.object({ data: ladder }),
  }),
  ladderNow: call('GET', '/applicants/ladder/{id}', {
    permission: 'assign_applicant',
    summary: ['What became of each wish of an applicant in the latest distribution', 'مآل رغبات متقدم في آخر تنسيق'],
    response: z.object({ data: ladder.nullable() }),
  }),
  accept: call('PUT', '/applicants/distribution/{id}', {
    permission: 'assign_applicant',
    summary: ['Give an applicant one of the wishes', 'تخصيص إحدى رغبات المتقدم'],
    body: z.strictObject({
      /** From 1. */
      preference: z.int().min(1).max(15),
      exception: z.boolean().optional(),
      reason: safeText(500).optional(),
    }),
    response: seated,
    example: { preference: 1 },
  }),
  assign: call('POST', '/applicants/assign/{id}', {
    permission: 'assign_applicant',
    summary: ['Give an applicant a program', 'تخصيص برنامج لمتقدم'],
    body: seat,
    response: seated,
    example: { program_id: 1 },
  }),
  assignMany: call('POST', '/applicants/bulk/assign', {
    permission: 'assign_applicant',
    summary: ['Give many applicants a program', 'تخصيص برنامج لعدة متقدمين'],
    body: seat.extend({ ids: z.array(id).min(1).max(2000) }),
    response: z.object({ data: bulkResult }),
    example: { ids: [1], program_id: 1 },
  }),
  change: call('POST', '/applicants/change/desire/{id}', {
    permission: 'assign_applicant',
    summary: ['Give an applicant another program, or take the seat back', 'تغيير البرنامج المخصص لمتقدم أو سحبه'],
    body: z.strictObject({
      /** null: the seat is taken back. */
      program_id: id.nullable(),
      exception: z.boolean().optional(),
      reason: safeText(500, 3),
    }),
    response: seated,
    example: { program_id: 1, reason: 'As the council decided.' },
  }),
}
