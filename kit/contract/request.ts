import { asked } from '#access/crud.contract.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { f } from './field.ts'
import type { Fields } from './field.ts'
import type { Reason } from './issues.ts'
import { resource } from './resource.ts'
import type { ListLayout, Resource } from './resource.ts'
import { workflow, workflowCalls } from './workflow.ts'
import type { Action, State, Workflow, WorkflowCalls } from './workflow.ts'

/** What becomes of a request, unless its definition says more. */
const STATES = [
  { value: 'requested', label: ['Requested', 'قيد الموافقة'], tone: 'waiting' },
  { value: 'accepted', label: ['Accepted', 'مقبول'], tone: 'done' },
  { value: 'rejected', label: ['Rejected', 'مرفوض'], tone: 'refused' },
  { value: 'cancelled', label: ['Cancelled', 'ملغى'], tone: 'frozen' },
] as const satisfies readonly State[]

/** A resource whose records are asked for by students and decided by others. */
export type Request<
  Name extends string = string,
  F extends Fields = Fields,
  P extends string = string,
  // oxlint-disable-next-line no-explicit-any -- any facts: they are inferred where a request is defined
  Facts = any,
> = Resource<Name, F, P, readonly ['faculty', 'department', 'bylaw', 'program', 'own', 'advised']> & {
  readonly flow: Workflow<string, string, string, Facts>
  readonly steps: WorkflowCalls
}

const asking = (states: readonly State[]) => ({
  student_id: f.lookup(['Student', 'الطالب'], 'student', { required: true, createOnly: true }),
  status: f.choice(['Status', 'الحالة'], states, { readOnly: true }),
  why: f.longText(['What for', 'سبب الطلب'], { required: true, max: 2000 }),
  created_at: f.instant(['Asked on', 'تاريخ الطلب'], { readOnly: true }),
})

/**
 * Defines what students ask for and others decide: it is asked for with a text, accepted or rejected with a reason, taken
 * back by who asked, and opened again. Its calls, its inbox, the screen of who asks, notices, the work that waits, history
 * and tests come from it; `docs/HOW-TO.md` has the whole of it.
 *
 * @public
 * @example request('trainingRequest', { path: '/training-requests', one: […], many: […], adding: […] })
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
    /** Every reason why it cannot be accepted; the server gathers the facts (`serveRequest`). */
    readonly needs?: (facts: Facts) => readonly Reason[]
    /** What happens when it is accepted, in a sentence. */
    readonly consequence?: Action['consequence']
    /** States and actions besides, or in place of, those of every request. */
    readonly states?: readonly State[]
    readonly actions?: Readonly<Record<string, Action<string, Facts>>>
  },
): Request<S, ReturnType<typeof asking> & F, P, Facts> => {
  const permissions = asked(subject)
  const decide = `decide_${subject}` as PermissionKey
  const { path, needs, consequence } = given
  const states: readonly State[] = [...STATES, ...(given.states ?? [])]
  const told = { notice: 'kit.notice_request' }
  const flow = workflow<Facts>()({
    name: subject,
    one: given.one,
    field: 'status',
    states,
    actions: {
      accept: {
        label: ['Accept', 'قبول'],
        call: ['POST', `${path}/accept/{id}`],
        permission: decide,
        from: { requested: 'accepted' },
        takenBackBy: 'reopen',
        ...told,
        ...(needs && { needs }),
        ...(consequence && { consequence }),
      },
      reject: {
        label: ['Reject', 'رفض'],
        call: ['POST', `${path}/reject/{id}`],
        permission: decide,
        from: { requested: 'rejected' },
        reason: 'required',
        tone: 'refused',
        ...told,
      },
      reopen: {
        label: ['Open again', 'إعادة الفتح'],
        call: ['POST', `${path}/reopen/{id}`],
        permission: decide,
        from: { accepted: 'requested', rejected: 'requested' },
        reason: 'required',
        tone: 'refused',
        ...told,
      },
      cancel: {
        label: ['Take back', 'سحب الطلب'],
        call: ['POST', `${path}/cancel/{id}`],
        permission: permissions.add,
        from: { requested: 'cancelled' },
        byOwner: true,
        single: true,
        tone: 'refused',
      },
      ...given.actions,
    },
    bulk: `${path}/bulk/{action}`,
    history: { path: `${path}/steps/{id}`, permission: permissions.show },
  })
  const own = Object.entries(given.fields ?? {})
  const { student_id, status, why, created_at } = asking(states)
  return {
    ...resource({
      ...given,
      name: subject,
      table: path.slice(1).replaceAll('/', '_').replaceAll('-', '_'),
      editing: given.one,
      permissions,
      scope: ['faculty', 'department', 'bylaw', 'program', 'own', 'advised'],
      fields: { student_id, ...given.fields, why, status, created_at },
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
      } as ListLayout,
      exportName: given.many[0],
      softDelete: true,
      screens: { list: path, add: `${path}/add` },
      plain: true,
    } as never),
    flow,
    steps: workflowCalls(flow as never),
  } as never
}
