import { useLanguage } from '#kit/web/i18n/index.ts'
import { useSteps } from '#kit/web/workflow/index.ts'
import { reservationFlow, reservationSteps, type StayRow } from './stay.contract.ts'
import { stayName } from './words.web.tsx'

/** Paths whose answers change with a stay. */
export const STAY_PATHS = ['/hotels', '/bed-groups', '/users/work', '/payments'] as const

/** Steps of reservations, in the words of every screen. */
export function useStaySteps<R extends StayRow = StayRow>() {
  const lang = useLanguage()
  return useSteps<never, never, R>(reservationFlow as never, reservationSteps as never, {
    name: (row) => stayName(row, lang),
    refreshes: STAY_PATHS,
  })
}
