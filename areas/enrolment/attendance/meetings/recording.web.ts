import { isOffline, useChange } from '#kit/web/api/index.ts'
import { waitFor } from '#kit/web/offline/waiting.ts'
import { attendanceCalls as calls } from '../attendance.calls.contract.ts'
import type { AttendanceSheet } from '../attendance.calls.contract.ts'
import type { AttendanceState } from '../states.contract.ts'
import { waitingState } from './waiting.web.ts'

interface Recorded {
  readonly marks?: { student_id: number; state: AttendanceState | null }[]
  readonly rest?: AttendanceState
  readonly all?: AttendanceState
}
/** Records attendance; without a line it waits on this device, with what stood there before. */
export function useRecording(sheet: AttendanceSheet | undefined, params: { id: number; date: string }) {
  const { busy, send } = useChange('/attendance', '/users/work')
  const record = async (body: Recorded): Promise<void> => {
    try {
      await send(calls.save, { params, body })
    } catch (problem) {
      if (!isOffline(problem) || !sheet) throw problem
      const said = new Map(body.marks?.map((one) => [one.student_id, one.state]))
      waitFor(
        sheet.students.flatMap(({ student, state: seen }) => {
          const rest = seen === null ? body.rest : undefined
          const state = said.has(student.id) ? said.get(student.id) : (body.all ?? rest)
          if (state === undefined) return []
          return [waitingState({ meeting: params.id, date: params.date, student_id: student.id, state, seen })]
        }),
      )
    }
  }
  return { busy, send, record }
}
