/**
 * What may change of an offering's registrations and marks in each control status, and on whose authority. The database
 * keeps the same rule against whoever writes (`control_allows`); screens ask it for their buttons.
 */
import type { Action, MainFlag } from '#areas/common/academics/status.rules.ts'
import { controlStatusTexts, controlStatuses, type ControlStatus } from '#areas/common/academics/control.rules.ts'

/**
 * Kinds of change: a registration made, removed or moved; a seat; a state; a mark; the mark scheme; and what is computed
 * (total, letter, points, which attempt it is).
 */
export const changeKinds = ['enrolment', 'seat', 'state', 'mark', 'scheme', 'result'] as const
export type ChangeKind = (typeof changeKinds)[number]

/**
 * On whose authority something is changed once control has the offering:
 * - `control`: the control team at its work (marks, and who was absent, banned, punished, incomplete);
 * - `step`: a step of control or the finishing of a term, which compute results;
 * - `correction`: of one registration, by the control head, with a reason;
 * - `incomplete`: the missing mark of an incomplete registration;
 * - `recheck`: an accepted grade recheck; `excuse`: an accepted excuse;
 * - `load`: records as another system kept them.
 */
export const authorities = ['control', 'step', 'correction', 'incomplete', 'recheck', 'excuse', 'load'] as const
export type Authority = (typeof authorities)[number]

const all = controlStatuses
const exam = ['state', 'mark', 'result'] as const
const reach: Record<Authority, { readonly in: readonly ControlStatus[]; readonly kinds: readonly ChangeKind[] }> = {
  control: { in: ['Submitted', 'Reviewed'], kinds: exam },
  step: { in: all, kinds: ['result'] },
  correction: { in: ['Submitted', 'Reviewed', 'Approved', 'Published'], kinds: exam },
  incomplete: { in: all, kinds: exam },
  recheck: { in: ['Published', 'Frozen'], kinds: exam },
  excuse: { in: ['Submitted', 'Reviewed'], kinds: ['state', 'seat', 'result'] },
  load: { in: all, kinds: changeKinds },
}

/** Whether this kind of change is possible in a control status. In Draft control has no say, and no authority is asked. */
export const mayChange = (status: ControlStatus, kind: ChangeKind, authority: Authority | null): boolean =>
  status === 'Draft' ||
  (authority !== null && reach[authority].in.includes(status) && reach[authority].kinds.includes(kind))

/** In which capacity somebody works in a grid of marks: the instructor until submission, control until approval. */
export type MarkEditor = 'instructor' | 'control'

/** Whether marks may be written in a grid. */
export const mayEnterMarks = (status: ControlStatus, editor: MarkEditor): boolean =>
  mayChange(status, 'mark', editor === 'control' ? 'control' : null)

/** States that say how the exam ended: they belong to control once it has the offering. */
const examMains: readonly MainFlag[] = ['Absent', 'Banned', 'Punished', 'Incomplete', 'Complete']
const examActions: readonly Action[] = ['absent', 'ban', 'punish', 'incomplete', 'complete', 'undo_incomplete']
const ofExam = (action: Action | 'audit' | 'slots', from: MainFlag | null): boolean =>
  (examActions as readonly string[]).includes(action) ||
  (action === 'undo' && from !== null && examMains.includes(from))

/** What somebody can call upon beyond Draft: working for control, correcting results. */
export type GuardStanding = { readonly control: boolean; readonly correct: boolean }

/**
 * On whose authority an action of the table of registrations may be taken in a control status. `problem`: on nobody's
 * whom the actor stands for; then `to` is the status to which control takes the offering back, by `steps` undos.
 */
export function authorityOver(
  status: ControlStatus,
  action: Action | 'audit' | 'slots',
  from: MainFlag | null,
  { control, correct }: GuardStanding,
): { authority: Authority | null } | { problem: { to: ControlStatus; steps: number } } {
  if (status === 'Draft') return { authority: null }
  const asked: Authority[] = ofExam(action, from)
    ? [...(control ? (['control'] as const) : []), ...(correct ? (['correction'] as const) : [])]
    : []
  const authority = asked.find((one) => mayChange(status, 'state', one))
  if (authority) return { authority }
  // The nearest status behind in which it would be possible.
  const back = controlStatuses.slice(0, controlStatuses.indexOf(status)).toReversed()
  const to = back.find((one) => one === 'Draft' || asked.some((by) => mayChange(one, 'state', by))) ?? 'Draft'
  return { problem: { to, steps: controlStatuses.indexOf(status) - controlStatuses.indexOf(to) } }
}

/** What the refusal `control_holds` says: the status found, and to where control takes the offering back. */
export const holdsData = (status: ControlStatus, course: string, to: ControlStatus = 'Draft') => ({
  course,
  status: controlStatusTexts[status].en,
  status_local: controlStatusTexts[status].ar,
  control_status: status,
  to: controlStatusTexts[to].en,
  to_local: controlStatusTexts[to].ar,
  to_status: to,
  steps: controlStatuses.indexOf(status) - controlStatuses.indexOf(to),
})
