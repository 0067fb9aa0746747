import { formatDate, label, language, nameOf, translate } from '#kit/web/i18n/index.ts'
import { readOrNull, sendAllOrNone } from '#kit/web/offline/all-or-none.ts'
import type { NotSaved, Send, WaitingKind } from '#kit/web/offline/waiting.ts'
import { attendanceCalls as calls } from '../attendance.calls.contract.ts'
import type { AttendanceSheet } from '../attendance.calls.contract.ts'
import { ATTENDANCE_STATES } from '../states.contract.ts'
import type { AttendanceState } from '../states.contract.ts'

export const ATTENDANCE = 'attendance.states'

/** What was recorded of a student without a line, and what stood there before. */
export interface WaitingState {
  readonly meeting: number
  readonly date: string
  readonly student_id: number
  readonly state: AttendanceState | null
  readonly seen: AttendanceState | null
}
export const waitingState = (data: WaitingState) => ({
  id: `${ATTENDANCE}/${data.meeting}/${data.date}/${data.student_id}`,
  kind: ATTENDANCE,
  data,
})

const words = (state: AttendanceState | null): string => {
  const known = ATTENDANCE_STATES.find((one) => one.value === state)
  return known ? label(known.label) : translate('attendance', 'nothing_recorded')
}
function aboutOf(sheet: AttendanceSheet | null, { student_id, date }: WaitingState): string {
  const l = language()
  const row = sheet?.students.find((one) => one.student.id === student_id)
  return [sheet?.offering.course.code, formatDate(date, 'long', l), row && nameOf(row.student, l)]
    .filter(Boolean)
    .join(' · ')
}

/** Sends what was recorded of one meeting on a date. */
async function sendSheet(states: readonly WaitingState[], send: Send): Promise<Map<WaitingState, NotSaved>> {
  const { meeting: id, date } = states[0]!
  const params = { id, date }
  const sheet = (await readOrNull(send(calls.sheet, { params })))?.data ?? null
  const notSaved = new Map<WaitingState, NotSaved>()
  const answer = await sendAllOrNone(states, {
    list: 'marks',
    save: (rest) =>
      send(calls.save, {
        params,
        body: { marks: rest.map(({ student_id, state, seen }) => ({ student_id, state, seen })) },
      }),
    refuse: (state, why) => notSaved.set(state, { about: aboutOf(sheet, state), why }),
  })
  for (const conflict of answer?.data.conflicts ?? []) {
    const state = states.find((one) => one.student_id === conflict.student_id)
    if (!state) continue
    notSaved.set(state, {
      about: aboutOf(sheet, state),
      why: translate('attendance', 'changed_meanwhile', {
        name: conflict.by ? nameOf(conflict.by, language()) : translate('attendance', 'somebody'),
      }),
      yours: words(state.state),
      theirs: words(conflict.theirs),
      again: { ...state, seen: conflict.theirs },
    })
  }
  return notSaved
}

/** How attendance is sent that was taken without a line: with what stood there before, so that nothing is overwritten unseen. */
const waitingStates: WaitingKind<WaitingState> = {
  changes: ['/attendance', '/users/work'],
  async send(changes, send) {
    const notSaved = new Map<WaitingState, NotSaved>()
    for (const states of Map.groupBy(changes, (one) => `${one.meeting}/${one.date}`).values())
      for (const [state, why] of await sendSheet(states, send)) notSaved.set(state, why)
    return changes.map((state) => notSaved.get(state) ?? null)
  },
}
export default waitingStates
