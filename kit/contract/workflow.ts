import type { PermissionKey } from '#access/permissions.contract.ts'
import { z } from 'zod'
import { call } from './call.ts'
import type { Call, Method } from './call.ts'
import type { Tone } from './field.ts'
import type { Reason } from './issues.ts'
import { bulkResult, id, safeText } from './schema.ts'
import type { Label } from './words.ts'

/** A state of a record, and its meaning for readers of a list: its badge. */
export interface State<S extends string = string> {
  readonly value: S
  readonly label: Label
  readonly tone: Tone
  /** Not every record comes to it: the line that shows where one stands has it only where it did. */
  readonly sometimes?: true
}

type Keys = PermissionKey | readonly PermissionKey[]

/** Where an action leads from one state. */
export interface Way<S extends string = string> {
  readonly to: S
  /**
   * States besides `to` from which a record may have come here, each with who may lead it back: one that came from such a
   * state goes there again, and one that came from elsewhere to `to`. What was refused at the second step waits at the second step again.
   */
  readonly back?: { readonly [K in S]?: Keys }
  /** What the button says here, where it differs. */
  readonly label?: Label
  /** Who may here, where it differs. */
  readonly permission?: Keys
}

/**
 * Something that is done with a record and takes it from one state to another. Facts are what its rule looks at; the
 * server gathers them.
 */
export interface Action<S extends string = string, Facts = unknown> {
  /** A verb, as the button says it. */
  readonly label: Label
  /** What the call does, for the description of the API; the label unless told. */
  readonly summary?: Label
  /** Method and path of its call, with `{id}`. */
  readonly call: readonly [method: Extract<Method, 'POST' | 'PUT' | 'DELETE'>, path: string]
  /** Who may, within the reach of the permission. */
  readonly permission: Keys
  /** The states it leaves, each with where it leads. From any other it is answered 409, naming the state found. */
  readonly from: { readonly [K in S]?: S | Way<S> }
  /** A reason that is kept with the step, and told to whom it concerns. */
  readonly reason?: 'required' | 'optional'
  /** A pure rule: every reason why it cannot be done now. */
  readonly needs?: (facts: Facts) => readonly Reason[]
  /** Code of the stage whose window must be open; the server knows when that is. */
  readonly window?: string
  /** By the person whom the record concerns, too. All other actions are refused to that person: nobody decides the own. */
  readonly byOwner?: boolean
  /** Text (`area.key`) that is told to whom it concerns; its places: `name`, `state`, `reason`, and what the server adds. */
  readonly notice?: string
  /** What will happen, in a sentence: the dialog says it before it is done. */
  readonly consequence?: Label
  /** The action that takes it back: it is done at once, and offers that for a moment. */
  readonly takenBackBy?: string
  /** Cannot be taken back: asks for the password again. */
  readonly irreversible?: boolean
  /** What is said in a state in which it leads nowhere, by the code of its text; else that it is not possible in this state. */
  readonly refused?: Partial<Readonly<Record<S, string>>>
  /** Takes back or refuses: its button is set apart. */
  readonly tone?: 'refused'
  /** Not offered for many at once. */
  readonly single?: boolean
  /** May take long: where the server says so a job takes it, and the call answers the job and the record as it still stands. */
  readonly long?: boolean
  /** Of many at once: more records than these are taken by a job, which the call for many answers. The area lists `manyJob`. */
  readonly many?: number
}

export interface Workflow<
  Name extends string = string,
  S extends string = string,
  A extends string = string,
  // oxlint-disable-next-line no-explicit-any -- any facts: they are inferred where a workflow is defined
  Facts = any,
> {
  readonly name: Name
  /** What is on its way, in the singular. */
  readonly one: Label
  /** Under this name the state stands in rows and answers, and, unless the server says otherwise, in the table. */
  readonly field: string
  /** In the order in which they are usually gone through. */
  readonly states: readonly State<S>[]
  readonly actions: { readonly [K in A]: Action<S, Facts> }
  /** Another workflow whose steps make its records: they begin their way with nobody having asked. */
  readonly madeBy?: string
  /** Path of the call for many at once, with `{action}`; absent: one at a time only. */
  readonly bulk?: string
  /** Text (`area.key`) that is told to who goes on from a state, when a record comes to it; its places are those of a notice. */
  readonly waits?: string
  readonly history: { readonly path: string; readonly permission: Keys }
}

/**
 * Defines a workflow: states, actions and who may take them. From it come the calls (`workflowCalls`), what the server
 * does (`serveWorkflow`), buttons and dialogs (`useSteps`), the history of steps, and tests.
 *
 * @example workflow<LeaveFacts>()({ name: 'leave', one: ['Leave', 'إجازة'], field: 'status', states: […], actions: {…}, … })
 */
export const workflow =
  <Facts = Record<string, never>>() =>
  <const Name extends string, const S extends string, const A extends string>(
    definition: Workflow<Name, S, A, Facts>,
  ): Workflow<Name, S, A, Facts> => {
    for (const [key, action] of Object.entries<Action<S, Facts>>(definition.actions)) {
      const names = new Set(definition.states.map((state) => state.value))
      for (const [from, way] of Object.entries(action.from) as [S, S | Way<S>][]) {
        const { to, back } = wayOf(way)
        for (const one of [to, ...(Object.keys(back ?? {}) as S[])])
          if (!names.has(from) || !names.has(one))
            throw new Error(`${definition.name}.${key} goes from '${from}' to '${one}', which are not both states`)
      }
    }
    return definition
  }

const wayOf = <S extends string>(way: S | Way<S>): Way<S> => (typeof way === 'string' ? { to: way } : way)

/** Where a step leads, what its button says, and who may. */
interface Leading<S extends string> {
  readonly to: S
  readonly label: Label
  readonly permission: readonly PermissionKey[]
}
/**
 * Where an action leads from a state, with who may; null: nowhere.
 *
 * @param left the state that the record left last, where that is known
 */
export function wayFrom<S extends string>(
  flow: Workflow<string, S>,
  state: S,
  action: string,
  left?: string | null,
): Leading<S> | null {
  const known = (flow.actions as Readonly<Record<string, Action<S>>>)[action]
  const given = known && Object.hasOwn(known.from, state) ? known.from[state] : undefined
  if (!known || given === undefined) return null
  const way = wayOf(given)
  const label = way.label ?? known.label
  const back = left != null && way.back && Object.hasOwn(way.back, left) ? way.back[left as S] : undefined
  return back === undefined
    ? { to: way.to, label, permission: [way.permission ?? known.permission].flat() }
    : { to: left as S, label, permission: [back].flat() }
}

/** The states to which an action may lead from a state; the earlier states decide which. */
export function endsFrom<S extends string>(flow: Workflow<string, S>, state: S, action: string): S[] {
  const to = wayFrom(flow, state, action)?.to
  const given = (flow.actions as Readonly<Record<string, Action<S>>>)[action]?.from[state]
  return to === undefined || given === undefined ? [] : [to, ...(Object.keys(wayOf(given).back ?? {}) as S[])]
}

/** The actions by which others than the person concerned go on from a state: what the record waits for there. */
export const awaitedFrom = <S extends string, A extends string>(flow: Workflow<string, S, A>, state: S): A[] =>
  actionsFrom(flow, state).filter((action) => !flow.actions[action].byOwner && flow.actions[action].tone !== 'refused')
/** The actions that lead somewhere from a state. */
export const actionsFrom = <S extends string, A extends string>(flow: Workflow<string, S, A>, state: S): A[] =>
  (Object.keys(flow.actions) as A[]).filter((action) => wayFrom(flow, state, action) !== null)

/** Every key that an action may need. */
export const keysOfAction = ({ permission, from }: Action): PermissionKey[] => [
  ...new Set(
    [
      permission,
      ...Object.values(from).flatMap((way) =>
        way ? [wayOf(way).permission ?? [], ...(Object.values(wayOf(way).back ?? {}) as Keys[])] : [],
      ),
    ].flat(),
  ),
]
/** A state in which a record waits for somebody other than the person it concerns, and the rights to act next. */
export interface Awaited<S extends string = string> {
  readonly state: S
  readonly keys: readonly PermissionKey[]
}
/** The states of a workflow in which somebody is awaited, in their order. */
export const awaitedIn = <S extends string>(flow: Workflow<string, S>): Awaited<S>[] =>
  flow.states.flatMap(({ value }) => {
    const keys = awaitedFrom(flow, value).flatMap((action) => wayFrom(flow, value, action)!.permission)
    return keys.length ? [{ state: value, keys: [...new Set(keys)] }] : []
  })
/** Every key that a workflow may need. */
export const keysOfWorkflow = (flow: Workflow): PermissionKey[] => [
  ...new Set(Object.values<Action>(flow.actions).flatMap(keysOfAction)),
]

/** What is known of a record when a step with it is judged. */
export interface Judging<S extends string, Facts> {
  readonly state: S
  /** The state that it left last; where it began, and where nobody asks, none. */
  readonly left?: string | null
  /** Whether the person holds one of the keys for this record. */
  readonly may: (keys: readonly PermissionKey[]) => boolean
  /** Whether the record is the person's own. */
  readonly own: boolean
  readonly reason: string | null
  /** null: what they would say is not asked (a list that only shows buttons). */
  readonly facts: Facts | null
  /** Why the window of the action is closed. */
  readonly closed?: Reason | null
}

/** The state in which records begin: the first one on each record's way. */
export const beginsIn = <S extends string>(flow: Workflow<string, S>): S =>
  flow.states.find(({ sometimes }) => !sometimes)!.value

/** What a text says of a state. */
export const stateData = (flow: Workflow, state: string): { state: string; state_local: string } => {
  const label = flow.states.find((one) => one.value === state)?.label ?? [state, state]
  return { state: label[0], state_local: label[1] }
}

/** The rule of every workflow: every reason why an action cannot be taken with a record. Empty: it can. */
export function checkStep<S extends string, A extends string, Facts>(
  flow: Workflow<string, S, A, Facts>,
  action: A,
  { state, left, may, own, reason, facts, closed }: Judging<S, Facts>,
): Reason[] {
  const way = wayFrom(flow, state, action, left)
  const known = flow.actions[action]
  // From here it leads nowhere: what else it would need says nothing.
  if (!way)
    return [{ code: known.refused?.[state] ?? 'step_state', data: { [flow.field]: state, ...stateData(flow, state) } }]
  const reasons: Reason[] = []
  if (!may(way.permission)) reasons.push({ code: 'step_permission', data: { permission: way.permission.join(', ') } })
  if (own && !known.byOwner) reasons.push({ code: 'step_own' })
  if (closed) reasons.push(closed)
  if (facts !== null) reasons.push(...(known.needs?.(facts) ?? []))
  if (known.reason === 'required' && facts !== null && !reason?.trim())
    reasons.push({ field: 'reason', code: 'reason_required' })
  return reasons
}

/** What stands aside from the way: it refuses or stops. */
const aside = (tone: Tone | undefined): boolean => tone === 'refused' || tone === 'frozen'

/**
 * A record's way as it is drawn: the states passed since it was last sent back, its present state, and the coming
 * ones, unless it has ended on a side state.
 *
 * @param steps the steps taken, oldest first
 */
export function roadOf<S extends string>(
  flow: Workflow<string, S>,
  state: S,
  steps: readonly Pick<StepRow, 'to'>[],
): { readonly value: S; readonly passed: boolean }[] {
  const passed: string[] = []
  for (const { to } of steps) {
    const at = passed.indexOf(to)
    if (at !== -1) passed.length = at
    passed.push(to)
  }
  const been = new Set(passed.filter((one) => one !== state))
  const places = flow.states.map(({ value }) => value)
  const here = places.indexOf(state)
  const ended = aside(flow.states[here]?.tone)
  return flow.states.flatMap(({ value, tone, sometimes }, i) => {
    if (value === state) return [{ value, passed: false }]
    if (been.has(value) && !aside(tone)) return [{ value, passed: i < here }]
    // What refuses or stops stands in the line only where it happened, and then nothing else comes.
    return aside(tone) || ended || sometimes ? [] : [{ value, passed: i < here }]
  })
}

/** The status with which a step is refused for these reasons. */
export const statusOf = (reasons: readonly Reason[]): number =>
  reasons.some(({ code }) => code === 'step_permission' || code === 'step_own')
    ? 403
    : reasons.every(({ code }) => code === 'reason_required')
      ? 422
      : 409

/** A step in the history: who took it, as whom, when, from which state to which, and why. */
export const stepRow = z.object({
  id: z.int(),
  at: z.string(),
  action: z.string(),
  /** null: it began. */
  from: z.string().nullable(),
  to: z.string(),
  reason: z.string().nullable(),
  by: z.object({ name: z.string(), name_local: z.string() }).nullable(),
  /** For whom, when somebody acted for another person. */
  acting_for: z.object({ name: z.string(), name_local: z.string() }).nullable(),
})
export type StepRow = z.output<typeof stepRow>

/** In whose hands a record is: some of those who may take the next step, the nearest first, and how many they are. */
const stepHolders = z.object({
  count: z.int(),
  named: z.array(z.object({ name: z.string(), name_local: z.string(), role: z.string(), role_local: z.string() })),
})
export type StepHolders = z.output<typeof stepHolders>
const stepHistory = z.object({ data: z.array(stepRow), waits_for: stepHolders.nullable() })
type StepHistory = z.output<typeof stepHistory>

const stepInput = z.strictObject({
  reason: safeText(500).optional(),
  /** The version seen; another one is answered 409. */
  version: z.int().optional(),
})
const bulkInput = z.strictObject({
  ids: z.array(id).min(1).max(2000),
  reason: safeText(500).optional(),
})

interface StepInput {
  reason?: string
  version?: number
}
/** What a step answers: the state stands under the name of the workflow's field as well. */
type Stepped = {
  data: { id: number; version: number; state: string } & Record<string, unknown>
  /** Of a step that may take long: the job that takes it; null: it is taken. */
  job_id?: string | null
}

export type StepCall = Call<
  'PUT',
  string,
  { id: number },
  undefined,
  z.ZodType<StepInput, StepInput>,
  z.ZodType<Stepped, Stepped>
>
export interface WorkflowCalls<A extends string = string> {
  readonly steps: { readonly [K in A]: StepCall }
  readonly history: Call<'GET', string, { id: number }, undefined, undefined, z.ZodType<StepHistory, StepHistory>>
  readonly bulk?: Call<
    'POST',
    string,
    { action: A },
    undefined,
    z.ZodType<{ ids: number[]; reason?: string }, { ids: number[]; reason?: string }>,
    typeof manyResult
  >
}

/** What the call for many answers where a job takes them: its result is the same without `job_id`. */
const manyResult = bulkResult.extend({ job_id: z.string().optional() })

/** Actions that can be taken with many at once. */
export const bulkActions = <A extends string>(flow: Workflow<string, string, A>): A[] =>
  (Object.keys(flow.actions) as A[]).filter((action) => !flow.actions[action].single)

/** The calls of a workflow, at the paths it gives. An area lists them by `listedCalls`. */
export function workflowCalls<S extends string, A extends string>(flow: Workflow<string, S, A>): WorkflowCalls<A> {
  const state = z.enum(flow.states.map((one) => one.value))
  const stepped = z.object({ data: z.object({ id, version: z.int(), state, [flow.field]: state }) })
  const steps = Object.entries<Action<S>>(flow.actions).map(([key, action]) => [
    key,
    call(action.call[0], action.call[1], {
      permission: keysOfAction(action),
      summary: action.summary ?? action.label,
      body: stepInput,
      response: action.long ? stepped.extend({ job_id: z.string().nullable() }) : stepped,
      ...(action.irreversible && { confirm: 'password' as const }),
      example: action.reason ? { reason: 'As decided by the council' } : {},
    }),
  ])
  const many = bulkActions(flow)
  return {
    steps: Object.fromEntries(steps),
    history: call('GET', flow.history.path, {
      permission: flow.history.permission,
      summary: [`Every step: ${flow.one[0]}`, `سجل الخطوات: ${flow.one[1]}`],
      response: stepHistory,
    }),
    ...(flow.bulk && {
      bulk: call('POST', flow.bulk, {
        permission: [...new Set(many.flatMap((action) => keysOfAction(flow.actions[action])))],
        summary: [
          `Take a step with many at once; each succeeds or fails by itself: ${flow.one[0]}`,
          `تنفيذ خطوة على عدة سجلات، كل سجل بنتيجته: ${flow.one[1]}`,
        ],
        params: z.object({ action: z.enum(many) }),
        body: bulkInput,
        response: many.some((action) => flow.actions[action].many !== undefined) ? manyResult : bulkResult,
        // What cannot be taken back is not made easier by being done to many.
        ...(many.some((action) => flow.actions[action].irreversible) && { confirm: 'password' as const }),
        example: { ids: [1, 2] },
      }),
    }),
  } as never
}

/** Calls of a workflow as an area lists them: by names of their own. */
export const listedCalls = (flow: Workflow, calls: WorkflowCalls): Record<string, Call> => ({
  ...Object.fromEntries(
    Object.entries(calls.steps).map(([action, one]) => [`${flow.name}.${action}`, one as unknown as Call]),
  ),
  [`${flow.name}.history`]: calls.history,
  ...(calls.bulk && { [`${flow.name}.bulk`]: calls.bulk }),
})
