import { nameOf, useLanguage } from '#kit/web/i18n/index.ts'
import { useSteps } from '#kit/web/workflow/index.ts'
import { reservationFlow, reservationSteps, type StayRow } from './stay.contract.ts'

/** Paths whose answers change with a stay. */
export const STAY_PATHS = ['/hotels', '/bed-groups', '/users/work', '/payments'] as const

/** Steps of reservations, in the words of every screen. */
export function useStaySteps<R extends StayRow = StayRow>() {
  const lang = useLanguage()
  return useSteps<never, never, R>(reservationFlow as never, reservationSteps as never, {
    name: (row) => (row.student ? nameOf(row.student, lang) : (row.guest_name ?? row.code)),
    refreshes: STAY_PATHS,
  })
}
