import { asked } from '#access/crud.contract.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { f } from './field.ts'
import type { Fields } from './field.ts'
import type { Reason } from './issues.ts'
import type { Label } from './words.ts'
import { resource } from './resource.ts'
import type { ListLayout, Resource } from './resource.ts'
import { workflow, workflowCalls } from './workflow.ts'
import type { Action, State, Workflow, WorkflowCalls } from './workflow.ts'

/** Where every request begins. */
const REQUESTED = { value: 'requested', label: ['Requested', 'قيد الموافقة'], tone: 'waiting' } as const satisfies State
/** Where those begin that cost something. */
const FEE_DUE = {
  value: 'fee_due',
  label: ['Fee due', 'بانتظار الرسم'],
  tone: 'draft',
  sometimes: true,
} as const satisfies State
/** Where every request may end beside its way. */
const ASIDE = [
  { value: 'rejected', label: ['Rejected', 'مرفوض'], tone: 'refused' },
  { value: 'cancelled', label: ['Cancelled', 'ملغى'], tone: 'frozen' },
] as const satisfies readonly State[]

/** A step of a request: who takes it, and the state to which it leads. */
export interface RequestStep<Facts = unknown> extends Pick<Action<string, Facts>, 'needs' | 'consequence' | 'window'> {
  /** Name of its action, and the last part of its call's path. */
  readonly action: string
  /** A verb, as the button says it. */
  readonly label: Label
  /** The state to which it leads, and how that is called. */
  readonly to: readonly [state: string, en: string, ar: string]
  /** Whose step it is; who decides on these requests, unless told. */
  readonly by?: PermissionKey
}
/** The one step of most requests, and the last of others. */
export const ACCEPT = {
  action: 'accept',
  label: ['Accept', 'قبول'],
  to: ['accepted', 'Accepted', 'مقبول'],
} as const satisfies RequestStep

/** A resource whose records students request and others decide on. */
export type Request<
  Name extends string = string,
  F extends Fields = Fields,
  P extends string = string,
  // oxlint-disable-next-line no-explicit-any -- any facts: they are inferred where a request is defined
  Facts = any,
> = Resource<Name, F, P, readonly ['faculty', 'department', 'bylaw', 'program', 'own', 'advised']> & {
  readonly flow: Workflow<string, string, string, Facts>
  readonly steps: WorkflowCalls
  /** Code of what it costs. */
  readonly fee?: string
}

const asking = (states: readonly State[]) => ({
  student_id: f.lookup(['Student', 'الطالب'], 'student', { required: true, createOnly: true }),
  status: f.choice(['Status', 'الحالة'], states, { readOnly: true }),
  why: f.longText(['What for', 'سبب الطلب'], { required: true, max: 2000 }),
  created_at: f.instant(['Asked on', 'تاريخ الطلب'], { readOnly: true }),
})

/** A step with the state in which a request waits for it, and whose it is. */
type Placed<Facts> = RequestStep<Facts> & { readonly by: PermissionKey; readonly from: string }
const wayOf = <Facts>(
  steps: readonly RequestStep<Facts>[],
  decide: PermissionKey,
  last: Partial<RequestStep<Facts>>,
): Placed<Facts>[] =>
  steps.map((step, i) => ({
    ...(i === steps.length - 1 && last),
    ...step,
    by: step.by ?? decide,
    from: i === 0 ? REQUESTED.value : steps[i - 1]!.to[0],
  }))

/** What who decides in the end may do about the fee. Paid, or paid no more, it goes the same ways by itself. */
export const feeActions = (path: string, by: PermissionKey) =>
  ({
    waive_fee: {
      label: ['Do without the fee', 'الإعفاء من الرسم'],
      call: ['POST', `${path}/waive_fee/{id}`],
      permission: by,
      from: { fee_due: 'requested' },
      reason: 'required',
      tone: 'refused',
    },
    charge_fee: {
      label: ['Ask for the fee', 'المطالبة بالرسم'],
      call: ['POST', `${path}/charge_fee/{id}`],
      permission: by,
      from: { requested: 'fee_due' },
      reason: 'required',
      tone: 'refused',
    },
  }) as const satisfies Record<string, Action<string>>

/**
 * Defines what students request and others decide: with a text, accepted or rejected with a reason, taken back by the
 * student, and opened again. Its calls, its inbox, the student's screen, notices, waiting work, history and tests
 * derive from it; `docs/HOW-TO.md` describes it in full.
 *
 * With `steps`, several people decide in turn. No step is skipped; whoever has the next step may reject the request,
 * and the student may take it back until the last. Opened again, it is one step back: a rejected request waits where
 * it was rejected.
 *
 * With a `fee`, it waits for payment before anybody decides; whoever decides last may waive the fee. If it is taken
 * back, the charge is reversed.
 *
 * @public
 * @example request('trainingRequest', { path: '/training-requests', one: […], many: […], adding: […] })
 * @example steps: [{ action: 'recommend', label: […], to: ['recommended', …], by: 'recommend_trainingRequest' }, ACCEPT]
 */
export const request = <
  const S extends string,
  const F extends Fields,
  const P extends string,
  Facts = Record<string, never>,
>(
  subject: S,
  given: Pick<Resource<S, F, P>, 'path' | 'one' | 'many' | 'adding' | 'menu' | 'parent'> & {
    /** What is asked besides what for. */
    readonly fields?: F
    /** Keys by which it is listed, opened and asked for, where those of its subject are not the only ones. */
    readonly permissions?: Readonly<Partial<Record<'list' | 'show' | 'add', readonly PermissionKey[]>>>
    /** Every reason why it cannot be accepted; the server gathers the facts (`serveRequest`). */
    readonly needs?: (facts: Facts) => readonly Reason[]
    /** What happens when it is accepted, in a sentence. */
    readonly consequence?: Action['consequence']
    /** Its steps in their order; one, `ACCEPT`, unless told. `needs` and `consequence` above are those of the last. */
    readonly steps?: readonly [RequestStep<Facts>, ...RequestStep<Facts>[]]
    /** The field that holds the account of who asks in the place of a student (`serveRequest` says how far that is reached). */
    readonly otherHolder?: string
    /** What it costs: a code of the university's prices. Where that has no price, it costs nothing. */
    readonly fee?: string
    /** What its list is sorted and filtered by, where that is more; who decides reads it in this `order`. */
    readonly list?: Partial<Pick<ListLayout, 'columns' | 'sort' | 'filters' | 'order'>>
    /**
     * The whole way, of what goes another one than requested, decided step by step, accepted: its first state that not every record comes
     * to is that of the fee (`fee_due`), which `waive_fee` and `charge_fee` leave and enter.
     */
    readonly flow?: Workflow<S, string, string, Facts>
    /** Actions besides, or in place of, those of every request. */
    readonly actions?: Readonly<Record<string, Action<string, Facts>>>
  },
): Request<S, Omit<ReturnType<typeof asking>, keyof F> & F, P, Facts> => {
  const permissions = { ...asked(subject), ...given.permissions }
  const decide = `decide_${subject}` as PermissionKey
  const { path, needs, consequence, fee } = given
  const told = { notice: 'kit.notice_request' }
  const way = wayOf(given.steps ?? [ACCEPT], decide, {
    ...(needs && { needs }),
    ...(consequence && { consequence }),
  })
  const [first, ...further] = way as [Placed<Facts>, ...Placed<Facts>[]]
  const waits = [...(fee === undefined ? [] : [FEE_DUE.value]), ...way.map(({ from }) => from)]
  const states: readonly State[] = [
    ...(fee === undefined ? [] : [FEE_DUE]),
    REQUESTED,
    ...way.map(({ to: [value, ...label] }, i): State => ({
      value,
      label,
      tone: i === further.length ? 'done' : 'waiting',
    })),
    ...ASIDE,
  ]
  if (new Set(states.map(({ value }) => value)).size < states.length)
    throw new Error(`${subject}: two steps lead to one state`)
  const flow =
    given.flow ??
    workflow<Facts>()({
      name: subject,
      one: given.one,
      field: 'status',
      states,
      actions: {
        ...Object.fromEntries(
          way.map(({ action, to, by, from, ...step }): [string, Action<string, Facts>] => [
            action,
            {
              ...step,
              call: ['POST', `${path}/${action}/{id}`],
              permission: by,
              from: { [from]: to[0] },
              takenBackBy: 'reopen',
              ...told,
            },
          ]),
        ),
        reject: {
          label: ['Reject', 'رفض'],
          call: ['POST', `${path}/reject/{id}`],
          permission: first.by,
          from: Object.fromEntries(way.map(({ from, by }) => [from, { to: 'rejected', permission: by }])),
          reason: 'required',
          tone: 'refused',
          ...told,
        },
        reopen: {
          label: ['Open again', 'إعادة الفتح'],
          call: ['POST', `${path}/reopen/{id}`],
          permission: first.by,
          from: {
            ...Object.fromEntries(way.map(({ from, to, by }) => [to[0], { to: from, permission: by }])),
            rejected: {
              to: first.from,
              ...(further.length && { back: Object.fromEntries(further.map(({ from, by }) => [from, by])) }),
            },
          },
          reason: 'required',
          tone: 'refused',
          ...told,
        },
        cancel: {
          label: ['Take back', 'سحب الطلب'],
          call: ['POST', `${path}/cancel/{id}`],
          permission: permissions.add,
          from: Object.fromEntries(waits.map((from) => [from, 'cancelled'])),
          byOwner: true,
          single: true,
          tone: 'refused',
        },
        ...(fee === undefined ? {} : (feeActions(path, decide) as Record<string, Action<string, Facts>>)),
        ...given.actions,
      },
      bulk: `${path}/bulk/{action}`,
      ...(further.length && { waits: 'kit.notice_waits' }),
      history: { path: `${path}/steps/{id}`, permission: permissions.show },
    })
  const own = Object.entries(given.fields ?? {})
  const { student_id, status, why, created_at } = asking(flow.states)
  return {
    ...resource({
      ...given,
      name: subject,
      table: path.slice(1).replaceAll('/', '_').replaceAll('-', '_'),
      editing: given.one,
      permissions,
      scope: ['faculty', 'department', 'bylaw', 'program', 'own', 'advised'],
      // What for is asked of every request, unless it asks for that in its own way.
      fields: { student_id, ...given.fields, why: given.fields?.why ?? why, status, created_at },
      list: {
        columns: [
          'student_id',
          ...own.flatMap(([name, field]) => (field.detailOnly ? [] : [name])),
          'status',
          'created_at',
        ],
        search: [],
        sort: ['status', 'created_at'],
        filters: [
          'student_id',
          'status',
          ...own.flatMap(([name, field]) => (['lookup', 'choice', 'flag'].includes(field.kind) ? [name] : [])),
        ],
        order: ['created_at', 'asc'],
        ...given.list,
      } as ListLayout,
      exportName: given.many[0],
      softDelete: true,
      screens: { list: path, add: `${path}/add` },
      plain: true,
    } as never),
    flow,
    steps: workflowCalls(flow as never),
    ...(fee !== undefined && { fee }),
  } as never
}
